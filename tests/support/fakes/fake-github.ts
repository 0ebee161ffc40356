import {
  type FakePerson,
  type FakeProvider,
  sendJson,
  startCodeFlow
} from '#tests/support/fakes/code-flow.ts'

/**
 * Starts a GitHub Enterprise Server, as far as sign-in needs it. Like the real one, it rejects a code with status
 * 200.
 */
export function startFakeGitHub(people: readonly FakePerson[]): Promise<FakeProvider> {
  return startCodeFlow(people, {
    authorize: '/login/oauth/authorize',
    token: '/login/oauth/access_token',
    redeemed: ({ person }) => ({ access_token: person.account, token_type: 'bearer', scope: 'read:user' }),
    refused: (response, error) =>
      sendJson(response, {
        error: error === 'invalid_grant' ? 'bad_verification_code' : 'incorrect_client_credentials',
        error_description: 'It was refused.'
      }),
    other(request, response) {
      const person = people.find(({ account }) => request.headers.authorization === `Bearer ${account}`)
      if (person === undefined) return sendJson(response, { message: 'Bad credentials' }, 401)
      const { account, name, login, email = null, verified = false } = person
      if (request.url === '/api/v3/user/emails')
        return sendJson(response, [{ email, primary: true, verified, visibility: 'private' }])
      if (request.url !== '/api/v3/user') return sendJson(response, { message: 'Not Found' }, 404)
      sendJson(response, { id: Number(account), login, name, email })
    }
  })
}
