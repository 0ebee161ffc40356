// Runs in the sandbox and loads the script. It exchanges requests and answers with the host as lines of JSON on
// descriptor 3.
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import 'zx/globals'

const host = new Socket({ fd: 3 }).unref()
host.on('error', () => undefined)
const pending = new Map()
let lastId = 0

createInterface({ input: host }).on('line', line => {
  const { id, value, error } = JSON.parse(line)
  const { resolve, reject, frames } = pending.get(id)
  pending.delete(id)
  if (pending.size === 0) host.unref()
  if (error === undefined) resolve(value)
  else reject(Object.assign(new Error(error), { stack: `Error: ${error}${frames}` }))
})

// The lines of the script that made a request. An error of the answer shows them, not the lines of this file.
const scriptFrames = () => {
  const frames = new Error().stack.split('\n').filter(line => line.includes('/script.mjs'))
  return frames.map(line => `\n${line}`).join('')
}

const ask = (method, input) => {
  const request = Promise.withResolvers()
  pending.set(++lastId, { ...request, frames: scriptFrames() })
  host.ref()
  host.write(`${JSON.stringify({ id: lastId, method, input })}\n`)
  return request.promise
}

globalThis.wiki = Object.freeze({
  search: (query, more) => ask('search', { query, ...more }),
  get: (title, wiki) => ask('get', { title, wiki }),
  list: more => ask('list', more ?? {}),
  backlinks: (title, more) => ask('backlinks', { title, ...more }),
  toc: (title, more) => ask('toc', { title, ...more }),
  filter: (filter, more) => ask('filter', { filter, ...more }),
  put: (title, tiddler, more) =>
    ask('put', { title, ...tiddler, ...(typeof more === 'string' ? { wiki: more } : more) }),
  rename: (title, newTitle, more) => ask('rename', { title, newTitle, ...more }),
  delete: (title, more) => ask('delete', { title, ...more })
})

host.write('{"begun":true}\n')
try {
  await import(new URL('./script.mjs', import.meta.url))
} catch (error) {
  console.error(error)
  process.exitCode = Number.isInteger(error?.exitCode) && error.exitCode > 0 ? error.exitCode : 1
}
