/** What a provider takes of JSON Schema. */
export interface SchemaDialect {
  /** Keywords that are sent as they are. What is not here is left out: the engine checks the answer against the whole schema anyway. */
  readonly keywords: ReadonlySet<string>;
  /** Values of `format` that are sent. */
  readonly formats: ReadonlySet<string>;
  /** Objects have just the properties that are listed; one that lists none cannot be said. */
  readonly closed: boolean;
  /** Optional properties are sent as required ones that may be null. */
  readonly all_required: boolean;
  /** The outermost value is an object. */
  readonly object_root: boolean;
  /** Of a closed dialect: objects may have properties of any name after all, lists may have places, and a schema that contains itself may be named in `$defs`. */
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
