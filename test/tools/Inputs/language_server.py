"""Speaks to a language server as an editor does, about a file, and prints what it says."""

import json
import pathlib
import subprocess
import sys


class Server:
    """A server that is started, with the messages that it has sent and nobody has asked for."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0
        self.waiting = []

    def send(self, method, params, **more):
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline().strip()) or not length:
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        return json.loads(self.process.stdout.read(length))

    def ask(self, method, params):
        """Sends a request, and returns its result."""
        self.number += 1
        self.send(method, params, id=self.number)
        while (message := self.receive()).get("id") != self.number:
            self.waiting.append(message)
        return message["result"]

    def told(self, method):
        """The next notification of a kind."""
        for index, message in enumerate(self.waiting):
            if message.get("method") == method:
                return self.waiting.pop(index)["params"]
        while (message := self.receive()).get("method") != method:
            self.waiting.append(message)
        return message["params"]


def place(text, word):
    before = text[: text.index(word)]
    return {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}


def main():
    program, file = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    text, uri = file.read_text(), file.as_uri()
    server = Server(program)
    start = server.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    print("hover:", start["capabilities"]["hoverProvider"])
    server.send("initialized", {})

    document = {"uri": uri, "languageId": "mlir", "version": 1, "text": text}
    server.send("textDocument/didOpen", {"textDocument": document})
    print("valid:", server.told("textDocument/publishDiagnostics")["diagnostics"])

    where = {"textDocument": {"uri": uri}, "position": place(text, "relay.nn.relu")}
    print("about relu:", " ".join(server.ask("textDocument/hover", where)["contents"]["value"].split()))
    where["position"] = place(text, "%0, %b")
    definition = server.ask("textDocument/definition", where)
    print("%0 is on line", definition[0]["range"]["start"]["line"])
    print("symbols:", [symbol["name"] for symbol in server.ask("textDocument/documentSymbol", where)])

    # A weight that does not fit.
    wrong = text.replace("32x64", "32x63")
    change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": wrong}]}
    server.send("textDocument/didChange", change)
    for found in server.told("textDocument/publishDiagnostics")["diagnostics"]:
        print("wrong on line", found["range"]["start"]["line"], "-", found["message"])

    server.ask("shutdown", None)
    server.send("exit", None)
    print("ended with", server.process.wait(timeout=60))


main()
