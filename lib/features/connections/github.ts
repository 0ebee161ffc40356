import { z } from 'zod'
import { ToolError } from '#lib/kernel/known-error.ts'
import { jsonOf, maxAnswerBytes, shapedAs } from '#lib/tools/api-answer.ts'
import type { Tool, ToolRun } from '#lib/tools/tool.ts'
import { fetchFor } from './fetch-as.ts'

/** `.` and `..` would make another address of it, of which nobody was told. */
const hasNoDots = (path: string): boolean => !path.split('/').some(part => part === '.' || part === '..')

/** `owner/name`. */
const Repository = z
  .string()
  .max(200)
  .regex(/^[\w.-]+\/[\w.-]+$/, 'write it as owner/name')
  .refine(hasNoDots, 'write it as owner/name')

const Issue = z.object({
  number: z.int(),
  title: z.string(),
  state: z.string(),
  url: z.string(),
  repository: z.string(),
  author: z.string().optional()
})

const Search = z.strictObject({
  query: z
    .string()
    .trim()
    .min(1)
    .max(256)
    .describe('A GitHub search: words, and qualifiers such as repo:owner/name is:open.'),
  limit: z.int().min(1).max(50).default(10)
})
const Found = z.object({ total: z.int(), issues: z.array(Issue) })

/** Issues and pull requests that the account may see (REST API, "search issues and pull requests"). */
export const githubSearchIssues: Tool<z.infer<typeof Search>, z.infer<typeof Found>> = {
  name: 'github-search-issues',
  description: 'Search issues and pull requests on GitHub that the connected account can see.',
  input: Search,
  output: Found,
  where: 'server',
  title: ({ query }) => `Search GitHub issues: ${query}`,
  repeatable: true,
  async execute({ query, limit }, run) {
    const fields = new URLSearchParams({ q: query, per_page: String(limit) })
    const said = shapedAs('GitHub', GitHubSearch, await ask(run, `search/issues?${fields}`))
    return { total: said.total_count, issues: said.items.map(issueOf) }
  }
}

const File = z.strictObject({
  repository: Repository,
  path: z.string().min(1).max(1000).refine(hasNoDots, 'must be a path without . and ..'),
  ref: z.string().max(200).optional().describe('A branch, tag or commit. Default: the default branch.')
})
const Text = z.object({ path: z.string(), text: z.string(), truncated: z.boolean() })

/** The most of a file that is handed to a model, in characters. */
const longest = 100_000

/** A text file of a repository (REST API, "get repository content", raw media type). */
export const githubReadFile: Tool<z.infer<typeof File>, z.infer<typeof Text>> = {
  name: 'github-read-file',
  description: 'Read a text file from a GitHub repository that the connected account can see.',
  input: File,
  output: Text,
  where: 'server',
  title: ({ repository, path }) => `Read ${repository}/${path}`,
  repeatable: true,
  async execute({ repository, path, ref }, run) {
    const where = `repos/${repository}/contents/${path.split('/').map(encodeURIComponent).join('/')}`
    const at = ref === undefined ? '' : `?${new URLSearchParams({ ref })}`
    const answer = await fetchFor(run)('github')(where + at, {
      headers: { ...headers, accept: 'application/vnd.github.raw+json' },
      maxBytes: maxAnswerBytes
    })
    return { path, ...textOfFile(path, answer) }
  }
}

/** The text of a file, as much as a model gets of it. Throws for an answer that is no text. */
export function textOfFile(path: string, answer: Parameters<typeof jsonOf>[1]) {
  if (answer.status >= 300) jsonOf('GitHub', answer)
  const text = answer.text()
  if (text.includes('\0')) throw new ToolError(`${path} is not a text file.`)
  return { text: text.slice(0, longest).toWellFormed(), truncated: text.length > longest }
}

const NewIssue = z.strictObject({
  repository: Repository,
  title: z.string().trim().min(1).max(256),
  body: z.string().max(60_000).default('')
})

/** Opens an issue, after somebody said yes to exactly this one (REST API, "create an issue"). */
export const githubOpenIssue: Tool<z.infer<typeof NewIssue>, z.infer<typeof Issue>> = {
  name: 'github-open-issue',
  description: 'Open an issue in a GitHub repository as the connected account.',
  input: NewIssue,
  output: Issue,
  where: 'server',
  title: ({ repository, title }) => `Open an issue in ${repository}: ${title}`,
  approval: 'ask',
  async execute({ repository, title, body }, run) {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title, body })
    }
    return issueOf(
      shapedAs(
        'GitHub',
        GitHubIssue,
        await ask(run, `repos/${repository}/issues`, init),
        'The issue can exist.'
      )
    )
  }
}

const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }

type Init = { method?: string; headers?: Record<string, string>; body?: string }

const ask = async (run: ToolRun, path: string, init: Init = {}): Promise<unknown> => {
  const answer = await fetchFor(run)('github')(path, {
    ...init,
    headers: { ...headers, ...init.headers },
    maxBytes: maxAnswerBytes
  })
  return jsonOf('GitHub', answer)
}

const GitHubIssue = z.object({
  number: z.int(),
  title: z.string(),
  state: z.string(),
  html_url: z.string(),
  user: z.object({ login: z.string() }).nullish()
})
const GitHubSearch = z.object({ total_count: z.int(), items: z.array(GitHubIssue) })

/** The repository stands in the address: `https://github.com/owner/name/issues/1`. */
const issueOf = ({ number, title, state, html_url: url, user }: z.infer<typeof GitHubIssue>) => ({
  number,
  title,
  state,
  url,
  repository: new URL(url).pathname.split('/').slice(1, 3).join('/'),
  ...(user ? { author: user.login } : {})
})
