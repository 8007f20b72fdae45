"""``typematch completion``: what a shell must read to complete lines."""

from __future__ import annotations

from collections.abc import Sequence

from typematch.serve.cli.arguments import parser, read
from typematch.serve.cli.exit_codes import OK

_SHELLS = ("bash", "zsh", "fish")

_MORE = """\
to have it in every shell:
  bash    echo 'eval "$(typematch completion bash)"' >> ~/.bashrc
  zsh     echo 'eval "$(typematch completion zsh)"' >> ~/.zshrc          behind compinit
  fish    typematch completion fish > ~/.config/fish/completions/typematch.fish

It completes verbs, options, files, and from the database facets with their values (pkg:lo...),
packages and ids.

exit codes: 0 printed, 2 no such shell"""


def run(words: Sequence[str]) -> int:
    made = parser(
        "completion",
        "{bash,zsh,fish}",
        "Print what makes a shell complete commands, facets, packages and ids.",
        lambda: _MORE,
        database=False,
        document=False,
    )
    made.add_argument("shell", choices=_SHELLS, help="the shell")
    arguments = read(made, words)
    # Not above: every verb's arguments would pay for it.
    from argcomplete.shell_integration import shellcode

    print(shellcode(["typematch"], shell=arguments.shell), end="")
    return OK
