/** Mistral's models and their kin: `Unexpected role 'user' after role 'tool'` (400 of their API, and of their chat templates). */
const refusing = /(?:^|[^a-z])(?:mistral|mixtral|ministral|magistral|codestral|devstral|pixtral)/i

/** Whether a model of this ID takes a user message right behind tool results (004-9); most do. */
export const takesUserAfterTools = (modelId: string): boolean => !refusing.test(modelId)
