import * as z from 'zod/mini'

// The pages' policy forbids `eval`. Zod probes for it when a schema is made, which browsers report as a violation.
z.config({ jitless: true })
