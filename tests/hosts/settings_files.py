"""Settings files as people have them, over all hosts: other tools' hooks, comments, odd layouts, broken ones.

Written for these tests after the formats in the vendors' documentation, with commands of the kinds that people share:
loggers, formatters, guards, notifiers.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sample:
    """One file: whose it is, its bytes; `refused` is what `link` has to say of a broken one, its line first."""

    what: str
    host: str
    data: bytes
    refused: str = ""


CLAUDE = """{
  "$schema": "https://json.schemastore.org/claude-code-settings.json",
  "model": "opus",
  "permissions": {
    "allow": ["Bash(npm run test:*)", "Read(~/.zshrc)"],
    "deny": ["Read(./.env)", "Read(./secrets/**)"]
  },
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          {
            "type": "command",
            "command": "jq -r '\\"\\\\(.tool_input.command)\\"' >> ~/.claude/bash-command-log.txt"
          }
        ]
      }
    ],
    "PostToolUse": [
      {
        "matcher": "Edit|MultiEdit|Write",
        "hooks": [
          { "type": "command", "command": "npx prettier --write \\"$CLAUDE_FILE_PATHS\\"", "timeout": 60 }
        ]
      }
    ],
    "Notification": [
      { "hooks": [{ "type": "command", "command": "notify-send 'Claude Code' 'Awaiting your input'" }] }
    ],
    "Stop": [
      { "hooks": [{ "type": "command", "command": "afplay /System/Library/Sounds/Glass.aiff" }] }
    ]
  },
  "statusLine": { "type": "command", "command": "npx -y ccusage statusline" },
  "enabledPlugins": { "formatter@team-tools": true }
}
"""

CODEX = """{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "^Bash$",
        "hooks": [
          {
            "type": "command",
            "command": "/usr/bin/python3 \\"$(git rev-parse --show-toplevel)/.codex/hooks/policy.py\\"",
            "statusMessage": "Checking Bash command"
          }
        ]
      }
    ],
    "Stop": [{ "hooks": [{ "type": "command", "command": "~/.codex/notify.sh", "timeout": 30 }] }]
  }
}
"""

CURSOR = """{
  // team hooks, see the wiki
  "version": 1,
  "hooks": {
    "beforeShellExecution": [
      { "command": "./hooks/audit.sh" }, // logs to ~/audit.log
      { "command": "./hooks/block-git.sh" },
    ],
    "afterFileEdit": [{ "command": "./hooks/format.sh" }],
    "stop": [
      /* { "command": "say done" }, */
      { "command": "./hooks/summary.sh", "loop_limit": 3 }
    ],
  },
}
"""

GEMINI = """{
    "general": { "vimMode": true, "preferredEditor": "nvim" },
    "ui": { "theme": "GitHub" }, // dark at home
    "security": { "auth": { "selectedType": "oauth-personal" } },
    "mcpServers": {
        "github": { "command": "docker", "args": ["run", "-i", "--rm", "ghcr.io/github/github-mcp-server"] },
    },
    "hooksConfig": { "notifications": false },
    "hooks": {
        "BeforeTool": [
            {
                "matcher": "write_file|replace",
                "hooks": [
                    {
                        "name": "security-check",
                        "type": "command",
                        "command": "$GEMINI_PROJECT_DIR/.gemini/hooks/security.sh",
                        "timeout": 5000
                    }
                ]
            }
        ],
    },
}
"""

QWEN = """{
  "tools": {"approvalMode": "auto-edit"},
  "hooks": {
    "PostToolUse": [
      {"matcher": "^(edit|write_file)$", "sequential": true, "hooks": [{"type": "command", "command": "ruff format"}]}
    ]
  },
  "$version": 3
}"""

COPILOT = """{
  "version": 1,
  "hooks": {
    "sessionStart": [
      {
        "type": "command",
        "bash": "echo \\"Session started: $(date)\\" >> logs/session.log",
        "powershell": "Add-Content -Path logs/session.log -Value \\"Session started: $(Get-Date)\\"",
        "cwd": ".",
        "timeoutSec": 10
      }
    ],
    "preToolUse": [{ "type": "command", "bash": "./scripts/security-check.sh", "timeoutSec": 15 }]
  }
}
"""

WINDSURF = """{
  "hooks": {
    "post_write_code": [
      { "command": "black .", "show_output": true, "working_directory": "/srv/shop" }
    ],
    "pre_user_prompt": [
      { "command": "bash -c \\"cat >> ~/prompts.log\\"", "show_output": false }
    ]
  }
}
"""

KIRO = """{
  "name": "memwiki",
  "description": "Mine, with my tools",
  "prompt": "file://./prompt.md",
  "tools": ["fs_read", "fs_write", "@git"],
  "allowedTools": ["fs_read"],
  "resources": ["file://README.md"],
  "hooks": {
    "agentSpawn": [{ "command": "git status" }],
    "postToolUse": [{ "matcher": "fs_write", "command": "cargo fmt --all" }]
  },
  "model": "claude-sonnet-4"
}
"""

DEVIN = """{
  // one config for both machines
  "mcpServers": { "linear": { "url": "https://mcp.linear.app/sse" } },
  "hooks": {
    "PreToolUse": [{ "matcher": "exec", "hooks": [{ "type": "command", "command": "./guard.sh" }] }],
  }
}
"""


def sample(what: str, host: str, text: str, refused: str = "") -> Sample:
    """A file of that text in UTF-8."""
    return Sample(what, host, text.encode("utf-8", "surrogatepass"), refused)


def lines(text: str, ending: str) -> str:
    """The text with other line endings."""
    return text.replace("\n", ending)


MINIFIED = (
    '{"env":{"EDITOR":"vim"},"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]},"model":"opus"}'
)
BELOW = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}, {"type": "command", "command": "b"}]}]}}'
DOUBLE = """{
  "model": "haiku",
  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "never read"}]}]},
  "model": "opus",
  "hooks": {
    "Stop": [{"hooks": [{"type": "command", "command": "one"}]}],
    "Stop": [{"hooks": [{"type": "command", "command": "two"}]}]
  }
}
"""
LARGE = CLAUDE.replace('"Read(~/.zshrc)"', ",\n      ".join(f'"Bash(make target-{n}:*)"' for n in range(4000)))

WHOLE = (
    sample("a logger, a formatter, a notifier", "claude", CLAUDE),
    sample("CRLF", "claude", lines(CLAUDE, "\r\n")),
    sample("tabs", "claude", CLAUDE.replace("  ", "\t")),
    sample("a byte order mark", "claude", "\ufeff" + CLAUDE),
    sample("no final newline", "claude", CLAUDE.rstrip("\n")),
    sample("blank lines around", "claude", f"\n\n{CLAUDE}\n\n  \n"),
    sample("on one line", "claude", MINIFIED),
    sample("on one line, with blanks", "claude", "  " + BELOW + "  \n"),
    sample("keys twice", "claude", DOUBLE),
    sample("4,000 permissions", "claude", LARGE),
    sample(
        "other scripts",
        "claude",
        '{\n  "language": "日本語 🦩 e\u0301 \u202eمرحبا",\n  "x": "\\ud83e\\udda9 \\ud800"\n}\n',
    ),
    sample("no hooks", "claude", '{\n  "model": "opus"\n}\n'),
    sample("no hooks, one line", "claude", '{ "model": "opus" }'),
    sample("hooks without any", "claude", '{"hooks": {}, "model": "opus"}\n'),
    sample("an event without any", "claude", '{\n  "hooks": {\n    "Stop": [\n    ]\n  }\n}\n'),
    sample("an empty object", "claude", "{}"),
    sample("an object of blanks", "claude", "{\n\n}\n"),
    sample("nothing", "claude", ""),
    sample("blanks only", "claude", " \r\n\t\n"),
    sample("nothing but a mark", "claude", "\ufeff"),
    sample("odd indentation", "claude", '{ "a"  :1 ,\n\t "b":\n[ 1,2 ,\n3]\n        , "hooks"\n:\n{ } }\n\n'),
    sample("a guard and a notifier", "codex", CODEX),
    sample("CRLF, no final newline", "codex", lines(CODEX, "\r\n").rstrip()),
    sample("nothing", "codex", ""),
    sample("comments and last commas", "cursor", CURSOR),
    sample("comments, CRLF", "cursor", lines(CURSOR, "\r\n")),
    sample("without a version", "cursor", '{"hooks": {"stop": [{"command": "./done.sh"}]}}\n'),
    sample("a comment for a file", "cursor", "// nothing here yet\n{\n  // hooks go here\n}\n// end\n"),
    sample("four blanks, comments", "gemini", GEMINI),
    sample("tabs, CRLF, a mark", "gemini", "\ufeff" + lines(GEMINI.replace("    ", "\t"), "\r\n")),
    sample(
        "a switch among the hooks", "gemini", '{\n  "hooks": {\n    "enabled": true,\n    "disabled": ["old"]\n  }\n}\n'
    ),
    sample("a sequential group", "qwen", QWEN),
    sample("both shells", "copilot", COPILOT),
    sample("a working directory", "windsurf", WINDSURF),
    sample("an agent of one's own", "kiro", KIRO),
    sample("comments in a config", "devin", DEVIN),
    sample("a comment at the end of all", "devin", '{"version": 2 /* of the format */}// vim: ft=jsonc'),
)

BROKEN = (
    sample("a comment", "claude", CLAUDE.replace("{\n", "{\n  // mine\n", 1), "line 2: a comment, which"),
    sample("a last comma", "claude", CLAUDE.replace("true }\n}", "true },\n}"), "line 37: a `,` before `}`, which"),
    sample("no comma", "claude", CLAUDE.replace('"opus",', '"opus"'), "line 4: no `,` or `}`"),
    sample("cut short", "claude", CLAUDE[: CLAUDE.index('"Stop"')], "line 31: the end comes too early"),
    sample("a conflict", "claude", f"<<<<<<< ours\n{CLAUDE}=======\n{CLAUDE}>>>>>>> theirs\n", "line 1: no value"),
    sample("two documents", "claude", "{}\n{}\n", "line 2: text after the end"),
    sample("single quotes", "claude", "{\n'model': 'opus'\n}\n", "line 2: no value"),
    sample("a no-break space", "claude", '{\n\n\u00a0"model": "opus"\n}\n', "line 3: no value"),
    sample("a list", "claude", "[]\n", "line 1: a list where settings are an object"),
    sample("a string", "gemini", '\n"x"\n', "line 2: a string where settings are an object"),
    sample("a number", "cursor", "// none\n3\n", "line 2: a single value where settings are an object"),
    sample("null", "qwen", "null", "line 1: a single value where settings are an object"),
    sample("a list", "copilot", "[]", "line 1: a list where settings are an object"),
    sample("a string", "kiro", '"x"', "line 1: a string where settings are an object"),
    sample("a number", "windsurf", "3", "line 1: a single value where settings are an object"),
    sample("true", "devin", "true", "line 1: a single value where settings are an object"),
    sample("hooks in a list", "claude", '{\n  "hooks": []\n}', "line 2: a list where hooks are an object"),
    sample(
        "hooks without lists",
        "claude",
        '{"hooks": {\n"Foo": [],\n"Stop": {}}}',
        "line 3: the hooks of Stop are not a list",
    ),
    sample("a mark", "codex", "\ufeff" + CODEX, "line 1: a byte order mark, which this agent does not read"),
    sample("a comment", "codex", CODEX.rstrip() + " // end\n", "line 17: a comment, which"),
    sample("a comment without end", "cursor", '{\n  "version": 1,\n  /* todo\n}\n', "line 3: no value"),
    sample("YAML", "gemini", "hooks:\n  BeforeTool: []\n", "line 1: no value"),
    Sample("Latin-1", "gemini", '{\n  "a": 1,\n  "name": "Renée"\n}\n'.encode("latin-1"), "line 3: not UTF-8"),
    Sample("UTF-16", "claude", CLAUDE.encode("utf-16"), "line 1: not UTF-8"),
    Sample("NUL bytes", "codex", b"\0" * 512, "line 1: no value"),
    sample("far too deep", "claude", "[" * 100_000, "line 1: nesting too deep"),
)
