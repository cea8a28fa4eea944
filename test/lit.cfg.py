import os

lit_config.load_config(config, os.path.join(os.path.dirname(__file__), "..", "lit", "base.py"))
