type Words = { group: string; line: string }

const people = 'Ask people'
const web = 'Web'
const time = 'Time'
const wiki = 'Wiki'
const agents = 'Agents'
const connections = 'Connections'

/** Says in one line what each tool of the server does, for people. The model reads another text. */
const known: Record<string, Words> = {
  'ask-question': { group: people, line: 'Asks the user a question and waits for the answer.' },
  'client-info': { group: people, line: "Reads the time zone, language and location of the user's browser." },
  'web-fetch': { group: web, line: 'Reads a web page, JSON or text file.' },
  'alarm-clock': { group: time, line: 'Sets a reminder and continues then.' },
  'list-alarms': { group: time, line: 'Lists the reminders of the session.' },
  'cancel-alarm': { group: time, line: 'Cancels a reminder.' },
  'wiki-search': { group: wiki, line: 'Searches and reads pages.' },
  'wiki-list-tiddlers': { group: wiki, line: 'Lists pages by title.' },
  'wiki-recent': { group: wiki, line: 'Lists the newest changes.' },
  'wiki-toc': { group: wiki, line: 'Reads the table of contents.' },
  'wiki-backlinks': { group: wiki, line: 'Lists the pages that link to a page.' },
  'wiki-get-errors': { group: wiki, line: 'Finds broken links and macros.' },
  'wiki-write': { group: wiki, line: 'Creates and changes pages.' },
  'wiki-rename': { group: wiki, line: 'Renames a page and its links.' },
  'wiki-delete': { group: wiki, line: 'Deletes a page.' },
  'spawn-agent': { group: agents, line: 'Delegates a part of the work to another agent.' },
  send_out_of_band: { group: agents, line: 'Sends a message to the agent of another session.' },
  list_sessions: { group: agents, line: 'Lists other sessions.' },
  get_session_state: { group: agents, line: 'Reads the state of another session.' },
  discover_catalog: { group: agents, line: 'Lists tools that the agent can add to itself.' },
  read_config: { group: agents, line: 'Reads its own configuration.' },
  commit_revision: { group: agents, line: 'Proposes a change to itself, which a person approves.' },
  summary: { group: agents, line: 'Ends the work with a final answer.' },
  discover_connections: { group: connections, line: 'Lists the accounts that it can use.' },
  'http-request': { group: connections, line: 'Calls the API of a connected service.' },
  'github-search-issues': { group: connections, line: 'Searches issues and pull requests on GitHub.' },
  'github-read-file': { group: connections, line: 'Reads a file from GitHub.' },
  'github-open-issue': { group: connections, line: 'Opens an issue on GitHub.' },
  'zx-script': { group: 'Scripts', line: 'Runs a script in a sandbox.' }
}

/** The groups in the order of the library. Tools of the operator follow. */
export const toolGroups = [people, web, time, wiki, agents, connections, 'Scripts', 'This server'] as const

/** Returns the group of a tool, and its line. For an unknown tool, the line is the first sentence for the model. */
export function wordsOf({ name, description }: { name: string; description: string }): Words {
  const [first = ''] = /^.*?[.!?](?=\s|$)/s.exec(description) ?? [description]
  return known[name] ?? { group: 'This server', line: first }
}
