import { expect, test } from 'vitest'
import { expectNothingReached, hostileAddresses } from '#tests/support/fakes/hostile-addresses.ts'

test('the addresses are of all kinds', () => {
  expect(hostileAddresses.length).toBeGreaterThanOrEqual(60)
})

// `tests/long/endpoints.test.ts` has all of them, and `lib/net/target.test.ts` what is refused without a request.
expectNothingReached(hostileAddresses.filter((_, n) => n % 8 === 0))
