/** The subset of JSON Schema that a provider supports. */
export interface SchemaDialect {
  /** Keywords sent unchanged. Others are omitted: the engine validates the answer against the whole schema anyway. */
  readonly keywords: ReadonlySet<string>;
  /** Values of `format` that are sent. */
  readonly formats: ReadonlySet<string>;
  /** Objects have exactly the listed properties; an object without a list cannot be expressed. */
  readonly closed: boolean;
  /** Optional properties are sent as required ones that may be null. */
  readonly all_required: boolean;
  /** The root must be an object. */
  readonly object_root: boolean;
  /** In a closed dialect: objects may have arbitrary properties, lists may be tuples, and recursive schemas may be named in `$defs`. */
  readonly maps_and_places?: boolean;
}

const words = ['type', 'title', 'description', 'enum'];
const counts = ['minItems', 'maxItems'];
const numbers = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const formats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];

/**
 * OpenAI's strict mode. Source: OpenAI, Structured model outputs, "Supported schemas": the root is an object and no `anyOf`, every property is
 * required, `additionalProperties` is false, no `allOf`, `not`, `if`, `dependentRequired`.
 */
export const openAiStrict: SchemaDialect = {
  keywords: new Set([...words, ...counts, ...numbers, 'pattern']),
  formats: new Set(formats),
  closed: true,
  all_required: true,
  object_root: true,
};

/**
 * Anthropic's structured outputs. Source: Anthropic, Structured outputs, "JSON Schema limitations": `additionalProperties` is false, no recursion,
 * no bounds of numbers, texts and lists.
 */
export const anthropicOutput: SchemaDialect = {
  keywords: new Set(words),
  formats: new Set(formats),
  closed: true,
  all_required: false,
  object_root: true,
};

/** Gemini's JSON Schema. Source: Google, Gemini API, "Structured output", JSON Schema support, and the reference of `responseJsonSchema`. */
export const geminiSchema: SchemaDialect = {
  keywords: new Set([...words, ...counts, 'minimum', 'maximum']),
  formats: new Set(['date-time', 'date', 'time']),
  closed: false,
  all_required: false,
  object_root: false,
};
