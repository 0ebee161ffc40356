import { expectNothingReached, hostileAddresses } from '#tests/support/fakes/hostile-addresses.ts'

expectNothingReached(hostileAddresses)
