"""Runs compiled libraries in this process. A process for each run, as of `relayc run`, takes longer to start than the run."""

import relay_mlir


class Library:
    """A library, with threads and memory of its own."""

    def __init__(self, path):
        self.model = relay_mlir.load(path)

    def run(self, feeds):
        """The outputs by name; or nothing, and the reason why the library refuses the inputs."""
        try:
            return self.model.run(feeds), None
        except relay_mlir.Error as error:
            return None, str(error)
