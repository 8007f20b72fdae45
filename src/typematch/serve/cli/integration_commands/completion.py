"""``typematch completion``: prints a completion script for a shell."""

from __future__ import annotations

from collections.abc import Sequence

from typematch.serve.cli.arguments import command_parser, parse_arguments
from typematch.serve.cli.exit_codes import OK

_SHELLS = ("bash", "zsh", "fish")

_EPILOG = """\
installation:
  bash    echo 'eval "$(typematch completion bash)"' >> ~/.bashrc
  zsh     echo 'eval "$(typematch completion zsh)"' >> ~/.zshrc          after compinit
  fish    typematch completion fish > ~/.config/fish/completions/typematch.fish

Completes commands, options and files, and from the database facet values (pkg:lo...), packages and
ids.

exit codes: 0 printed, 2 unknown shell"""


def run(argv: Sequence[str]) -> int:
    parser = command_parser(
        "completion",
        "{bash,zsh,fish}",
        "Print a completion script for a shell: commands, options, facets, packages, ids.",
        lambda: _EPILOG,
        database=False,
        json_output=False,
    )
    parser.add_argument("shell", choices=_SHELLS, help="the shell")
    arguments = parse_arguments(parser, argv)
    # Imported late: other commands import this package for completion only.
    from argcomplete.shell_integration import shellcode

    print(shellcode(["typematch"], shell=arguments.shell), end="")
    return OK
