/** Model families that accept images, by the names that servers use for them. */
const visionModels =
  /gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-[5-9]|chatgpt|(?:^|[^a-z])o[1-9](?:$|[^a-z0-9])|claude|gemini|gemma-?[3-9]|llava|pixtral|mistral-(?:small|medium|large)-?3|llama-?4|llama-?3\.2-(?:11|90)b|vision|qwen[\d.]*-?(?:vl|omni)|-vl\b|internvl|minicpm-v|moondream|molmo|grok-[2-9]|kimi-vl|nova-(?:lite|pro)/i

/** Guesses from its name whether a model on an OpenAI-compatible server accepts images. */
export const acceptsImages = (modelId: string): boolean => visionModels.test(modelId)
