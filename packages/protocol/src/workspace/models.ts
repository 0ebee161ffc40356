import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'

/** The part of a model name before its first slash. */
export const ProviderName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, 'Use 1 to 40 lowercase letters, digits and "-", with a letter first.')

/** The name of a model: `provider/model`, or `default`. */
export const ModelName = z.string().trim().min(1).max(200)

/** A field that configures a provider. The value of a secret field is never returned. */
export const ProviderField = z.object({
  name: z.string(),
  label: z.string(),
  secret: z.boolean(),
  required: z.boolean(),
  hint: z.string().optional(),
  placeholder: z.string().optional()
})
export type ProviderField = z.infer<typeof ProviderField>

/**
 * A kind of provider that can be configured. `named`: a workspace can have any number of them, each with its own name.
 */
export const ProviderKind = z.object({
  kind: ProviderName,
  title: z.string(),
  named: z.boolean(),
  fields: z.array(ProviderField)
})
export type ProviderKind = z.infer<typeof ProviderKind>

/**
 * A provider that agents of the workspace can use. `source`: its settings are saved in the workspace, or come from the
 * server's environment. `values` has the fields that are not secret, and `secrets` the names of the secret fields with
 * a value. Only owners see `values` and `secrets`. `models` are names that the UI suggests.
 */
export const ConfiguredProvider = z.object({
  name: ProviderName,
  kind: ProviderName,
  title: z.string(),
  source: z.enum(['workspace', 'server']),
  models: z.array(z.string()),
  values: z.record(z.string(), z.string()).optional(),
  secrets: z.array(z.string()).optional(),
  savedBy: z.string().optional(),
  savedAt: Time.optional()
})
export type ConfiguredProvider = z.infer<typeof ConfiguredProvider>

/** `defaultModel` is the model that `default` means now. */
export const Models = z.object({
  defaultModel: z.string(),
  providers: z.array(ConfiguredProvider),
  kinds: z.array(ProviderKind)
})
export type Models = z.infer<typeof Models>

export const ListModels = z.object({})
export type ListModels = z.infer<typeof ListModels>

export const InProvider = z.object({ name: ProviderName })
export type InProvider = z.infer<typeof InProvider>

/**
 * All values of a provider. An absent secret keeps its saved value, unless another field changes. `kind` is required for
 * a named server, and otherwise the same as `name`.
 */
export const SaveProvider = InProvider.extend({
  kind: ProviderName.optional(),
  values: z.record(z.string().max(40), z.string().max(16_384))
})
export type SaveProvider = z.infer<typeof SaveProvider>

export const TestModel = z.object({ model: ModelName })
export type TestModel = z.infer<typeof TestModel>

/** The answer of a model that was asked for one word, or why there is none. `ms` is the time it took. */
export const ModelTest = z.object({
  model: z.string(),
  ok: z.boolean(),
  text: z.string(),
  code: z.string().optional(),
  ms: z.int()
})
export type ModelTest = z.infer<typeof ModelTest>
