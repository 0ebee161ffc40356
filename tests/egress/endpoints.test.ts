import { expect, test } from 'vitest'
import { expectNothingReached, hostileAddresses } from '#tests/support/fakes/hostile-addresses.ts'

test('the hostile addresses cover each kind', () => {
  expect(hostileAddresses.length).toBeGreaterThanOrEqual(60)
})

// `tests/long/endpoints.test.ts` has all addresses, and `tests/egress/target.test.ts` those that are refused without
// a request.
expectNothingReached(hostileAddresses.filter((_, n) => n % 8 === 0))
