// An in-process plugin. Put this file into a folder, start the server with WAYSTATION_PLUGINS=<folder>, and give an
// agent
// "plugins": [{ "name": "house-rules", "config": { "only": ["example.com"], "sign": "— the assistant" },
// "onFailure": "stop" }]
// It tells the model the time, restricts the hosts that tools can reach, removes card numbers from results, and
// signs answers.

/**
 * The config that an agent can set, as a Standard Schema (https://standardschema.dev). A zod schema is one already.
 */
const config = {
  '~standard': {
    version: 1,
    vendor: 'house-rules',
    validate(value) {
      const { only = [], sign = '' } = value ?? {}
      if (Array.isArray(only) && only.every(host => typeof host === 'string') && typeof sign === 'string')
        return { value: { only, sign } }
      return { issues: [{ message: 'only is a list of hosts, sign a text' }] }
    }
  }
}

const card = /\b(?:\d[ -]?){13,16}\b/g

/** Called for each step of a turn. A hook receives a copy of its data and returns its changes. */
const hooks = ({ only, sign }) => ({
  beforeModel: prompt => ({
    change: { ...prompt, instructions: `${prompt.instructions}\n\nIt is ${new Date().toISOString()}.` }
  }),

  beforeTool({ toolName, input }) {
    if (typeof input?.url !== 'string' || only.length === 0) return
    const { host } = new URL(input.url)
    if (!only.includes(host)) return { cancel: `${toolName} may not reach ${host}.` }
  },

  afterTool(call) {
    const text = JSON.stringify(call.result)
    const clean = text.replace(card, '[card]')
    if (clean !== text) return { change: { ...call, result: JSON.parse(clean) } }
  },

  afterModel(response) {
    // A step that calls tools is not the final answer.
    if (sign !== '' && response.calls.length === 0)
      return { change: { ...response, text: `${response.text}\n\n${sign}` } }
  },

  onTurn: ({ outcome }, { sessionId }) => console.error(`${sessionId}: ${outcome}`)
})

export default { name: 'house-rules', description: 'Where tools may go, and what stays in.', config, hooks }
