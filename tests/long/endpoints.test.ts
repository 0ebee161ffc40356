import { expectNothingReached, hostileAddresses } from '#tests/support/hostile-addresses.ts'

expectNothingReached(hostileAddresses)
