import type { CallContext } from './context.ts'
import type { SettingFields } from './settings.ts'

/** A JSON Schema of type object. */
export type ToolParameters = {
  readonly type: 'object'
  readonly properties?: { readonly [name: string]: unknown }
  readonly required?: readonly string[]
  readonly [keyword: string]: unknown
}

/** A tool. If it throws, the model receives the error's message. */
export type Tool<Parameters, Fields extends SettingFields> = {
  /** For the model. */
  description: string
  /** Default: a tool without parameters. */
  parameters?: Parameters & ToolParameters
  /** `args` matches `parameters`, because the server checks it. The result is any JSON value. */
  run(args: ArgumentsOf<Parameters>, context: CallContext<Fields>): unknown
}

/** TypeScript 5 infers nothing from a schema that contains a list. */
type ArgumentsOf<Parameters> =
  unknown extends ToolArguments<Parameters>
    ? // biome-ignore lint/suspicious/noExplicitAny: so that such code compiles
      any
    : ToolArguments<Parameters>

/**
 * The type of the values that a JSON Schema permits, for the usual keywords. Anything else is `unknown`. Infers no type
 * from `type` if it is a single one, because TypeScript 5 could not.
 */
export type ToolArguments<Schema> = Schema extends { const: infer Value }
  ? Value
  : Schema extends { enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { type: 'string' }
      ? string
      : Schema extends { type: 'number' | 'integer' }
        ? number
        : Schema extends { type: 'boolean' }
          ? boolean
          : Schema extends { type: 'null' }
            ? null
            : Schema extends { type: 'array' }
              ? (Schema extends { items: infer Item } ? ToolArguments<Item> : unknown)[]
              : Schema extends { type: 'object' }
                ? RecordOf<Schema>
                : Schema extends { type: readonly (infer Type)[] }
                  ? OneOf<Schema, Type>
                  : Schema extends { anyOf: readonly (infer Option)[] } | { oneOf: readonly (infer Option)[] }
                    ? ToolArguments<Option>
                    : unknown

/** The type of a schema with several types. */
type OneOf<Schema, Type> = Type extends string ? ToolArguments<Omit<Schema, 'type'> & { type: Type }> : never

type RecordOf<Schema> = Schema extends { properties: infer Properties }
  ? ObjectOf<Properties, Schema extends { required: readonly (infer Name)[] } ? Name : never>
  : Schema extends { additionalProperties: infer Value extends object }
    ? Record<string, ToolArguments<Value>>
    : Record<string, unknown>

type ObjectOf<Properties, Required> = {
  [Name in keyof Properties as Name extends Required ? Name : never]: ToolArguments<Properties[Name]>
} & {
  [Name in keyof Properties as Name extends Required ? never : Name]?: ToolArguments<Properties[Name]>
}
