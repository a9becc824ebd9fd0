// memwiki's plugin for OpenCode, which has no shell hooks: it hands each event to memwiki's hook script and puts what the
// script prints beside the prompt, as a part of its own. Written by `memwiki link`; `memwiki unlink` removes it.
//
// Every call waits for the script, so that events are stored in their order. Nothing here throws, for that would abort
// the prompt; a script that hangs is given up after five seconds, and then left alone for the rest of this process.
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"

const hook = join(homedir(), ".memwiki", "bin", "hook")

export const Memwiki = async ({ directory }) => {
  const parents = {} // a subagent's session -> the session that it works for
  const heard = {} // session -> how the next start of its context is called; "" once it has been announced
  const words = {} // session -> the agent's last words
  const failed = new Set() // calls whose failure has been told: the client repeats it
  let hung = false

  const root = (session) => (parents[session] ? root(parents[session]) : session)

  function tell(event, session, payload) {
    if (hung || !session || !existsSync(hook)) return ""
    const agent = parents[session] ? { agent_id: session } : {}
    const body = { hook_event_name: event, session_id: root(session), ...agent, cwd: directory, ...payload }
    try {
      const done = spawnSync(hook, ["opencode", event], { input: JSON.stringify(body), timeout: 5000, encoding: "utf8" })
      hung = done.error?.code === "ETIMEDOUT"
      return done.status === 0 ? done.stdout.trim() : ""
    } catch {
      return ""
    }
  }

  return {
    event: async ({ event }) => {
      const { sessionID, info, part } = event.properties ?? {}
      if (event.type === "session.created") {
        if (info?.parentID) parents[info.id] = info.parentID
        else if (info) heard[info.id] = "startup"
      } else if (event.type === "session.compacted") {
        heard[sessionID] = "compact"
      } else if (event.type === "session.idle") {
        const stop = parents[sessionID] ? "session.done" : "session.idle"
        tell(stop, sessionID, { last_assistant_message: words[sessionID] ?? "" })
      } else if (part?.type === "tool" && part.state?.status === "error" && !failed.has(part.callID)) {
        failed.add(part.callID)
        const { input, error } = part.state
        tell("tool.execute.error", part.sessionID, { tool_name: part.tool, tool_use_id: part.callID, tool_input: input, error })
      }
    },
    "chat.message": async (input, output) => {
      const session = input.sessionID
      const prompt = output.parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text).join("\n")
      const model = output.message?.model?.modelID ?? ""
      const texts = []
      if (!parents[session] && heard[session] !== "") {
        texts.push(tell("session.start", session, { source: heard[session] ?? "resume", model }))
        heard[session] = ""
      }
      texts.push(tell("chat.message", session, { prompt, model }))
      const text = texts.filter(Boolean).join("\n")
      const at = { sessionID: session, messageID: output.message?.id }
      if (text) output.parts.push({ id: `prt_memwiki${Date.now()}`, ...at, type: "text", synthetic: true, text })
    },
    "tool.execute.before": async (input, output) => {
      tell("tool.execute.before", input.sessionID, { tool_name: input.tool, tool_use_id: input.callID, tool_input: output.args })
    },
    "tool.execute.after": async (input, output) => {
      const call = { tool_name: input.tool, tool_use_id: input.callID, tool_input: input.args }
      tell("tool.execute.after", input.sessionID, { ...call, tool_response: output.output })
    },
    "experimental.session.compacting": async (input) => {
      tell("session.compacting", input.sessionID, {})
    },
    "experimental.text.complete": async (input, output) => {
      words[input.sessionID] = output.text
    },
    dispose: async () => {
      for (const session of Object.keys(heard)) tell("session.end", session, { reason: "exit" })
    },
  }
}
