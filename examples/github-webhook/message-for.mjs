/** Maximum length of a user's text and of a whole message, in characters. The server accepts 8 KiB. */
const maxText = 500
const maxContent = 1900
const cut = (text, length = maxText) => (text.length > length ? `${text.slice(0, length)}…` : text)

const failures = new Set(['failure', 'timed_out', 'startup_failure'])

/** A finished check: a failure is urgent, a success can wait until the agent is done. Other results are ignored. */
function checked({ name, conclusion, branch, sha, url }) {
  const isFailed = failures.has(conclusion)
  if (!isFailed && conclusion !== 'success') return undefined
  const content = `${name} ${isFailed ? 'failed' : 'succeeded'} on ${branch ?? 'a fork'} at ${sha.slice(0, 7)}. ${url}`
  return { branch, content, priority: isFailed ? 'high' : 'low', relatedTo: sha }
}

/** One function for each event: it returns the message, or undefined if the agent does not need to know. */
const events = {
  workflow_run: ({ action, workflow_run: run }) =>
    action === 'completed'
      ? checked({
          ...run,
          name: `The workflow "${run.name}"`,
          branch: run.head_branch,
          sha: run.head_sha,
          url: run.html_url
        })
      : undefined,
  check_suite: ({ action, check_suite: suite }) =>
    action === 'completed'
      ? checked({
          ...suite,
          name: `The checks of ${suite.app.name}`,
          branch: suite.head_branch,
          sha: suite.head_sha,
          url: ''
        })
      : undefined,
  push({ ref, after, deleted, commits, pusher, compare }) {
    if (deleted || !ref.startsWith('refs/heads/')) return undefined
    const branch = ref.slice('refs/heads/'.length)
    const lines = commits
      .slice(-10)
      .map(({ id, message }) => `${id.slice(0, 7)} ${cut(message.split('\n')[0], 100)}`)
    const content = `${pusher.name} pushed ${commits.length} commits to ${branch}. ${compare}\n${lines.join('\n')}`
    return { branch, content, priority: 'normal', relatedTo: after }
  },
  issue_comment({ action, issue, comment, repository }) {
    if (action !== 'created') return undefined
    const content = `${comment.user.login} commented on #${issue.number} "${issue.title}": ${cut(comment.body)} ${comment.html_url}`
    return { content, priority: 'normal', relatedTo: `${repository.full_name}#${issue.number}` }
  },
  pull_request_review({ action, review, pull_request: pull, repository }) {
    if (action !== 'submitted') return undefined
    const asksForChanges = review.state === 'changes_requested'
    const did = asksForChanges
      ? 'requested changes in'
      : review.state === 'approved'
        ? 'approved'
        : 'commented on'
    const content = `${review.user.login} ${did} #${pull.number} "${pull.title}": ${cut(review.body ?? '')} ${review.html_url}`
    const relatedTo = `${repository.full_name}#${pull.number}`
    return { branch: pull.head.ref, content, priority: asksForChanges ? 'high' : 'normal', relatedTo }
  }
}

/**
 * Returns the branch and the out-of-band message for an event of GitHub, or undefined if there is none. `branch` is
 * undefined for events that belong to no branch.
 */
export function messageFor(name, event) {
  const found = Object.hasOwn(events, name) ? events[name](event) : undefined
  if (found === undefined) return undefined
  const { branch, content, priority, relatedTo } = found
  const sourceId = `github:${event.repository.full_name}`.slice(0, 128)
  const metadata = { relatedTo: relatedTo.slice(0, 200), event: name }
  return { branch, message: { content: cut(content, maxContent).trim(), priority, sourceId, metadata } }
}
