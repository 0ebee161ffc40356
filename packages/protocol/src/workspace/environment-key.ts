/** The name of the API key that the environment of the server sets. It is shown where a person could be. */
export const environmentKeyName = 'Environment key'
