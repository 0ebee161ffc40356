/**
 * Mistral and related models reject it: `Unexpected role 'user' after role 'tool'` (400 of their API, and their
 * chat templates).
 */
const rejectingModels = /(?:^|[^a-z])(?:mistral|mixtral|ministral|magistral|codestral|devstral|pixtral)/i

/** Returns whether a model accepts a user message directly after tool results (004-9). Most do. */
export const takesUserAfterTools = (modelId: string): boolean => !rejectingModels.test(modelId)
