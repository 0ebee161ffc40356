import { config } from 'zod'

// A host page can forbid `eval`. Zod probes for it when a schema is created, which browsers report as a violation.
// This file must therefore be imported first.
config({ jitless: true })
