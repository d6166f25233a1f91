import { z } from 'zod';
import { modelPriceSchema } from '#shared/run/model-price.ts';
import { procedure } from './common.ts';

/** Where an endpoint's key comes from: `stored` in the settings, a variable of the environment, the workspace's `.env`, or nowhere. */
const keySourceSchema = z.enum(['stored', 'environment', 'workspace', 'none']);

/** A provider of models. Of a key, only its source is reported. */
export const modelProviderSchema = z.object({
  /** A provider (`providers.ts`) other than `genai` and `script`, or the name of a service of `genai://`. */
  id: z.string(),
  kind: z.enum(['vendor', 'service', 'ollama', 'llama']),
  /** Beginning of the model URLs: `openai://`, `genai://groq/`. */
  prefix: z.string(),
  /** Address; null for local files. */
  endpoint: z.string().nullable(),
  /** Who chose the address. */
  endpoint_from: z.enum(['default', 'environment', 'workspace', 'settings']),
  key: keySourceSchema,
  /** Variable that would hold the key; null where none does. */
  key_variable: z.string().nullable(),
  /** When the stored key was entered, in milliseconds since 1970; null where there is none. */
  key_set_at: z.number().nullable(),
  /** Why it cannot be used as it is set up, in words; else null. */
  problem: z.string().nullable(),
});
export type ModelProvider = z.infer<typeof modelProviderSchema>;

export const modelsOverviewSchema = z.object({
  providers: z.array(modelProviderSchema),
  /** Stored keys for endpoints that nothing here uses now. */
  other_keys: z.array(z.object({ provider: z.string(), endpoint: z.string() })),
  protection: z.enum(['keychain', 'file']),
  /** What protection by a file means, in words; null with a keychain. */
  warning: z.string().nullable(),
  /** GGUF files that the user chose. */
  files: z.array(z.object({ path: z.string(), url: z.string(), size: z.number().nullable() })),
  default_model: z.string().nullable(),
  prices: z.record(z.string(), modelPriceSchema),
  /** Prices in the folder's `pravah.json`, which win over the user's. */
  folder_prices: z.record(z.string(), modelPriceSchema),
});
export type ModelsOverview = z.infer<typeof modelsOverviewSchema>;

export const listedModelSchema = z.object({
  /** Model URL. */
  url: z.string(),
  name: z.string(),
});
export type ListedModel = z.infer<typeof listedModelSchema>;

export const modelTestSchema = z.object({
  ok: z.boolean(),
  /** What happened, in a sentence. */
  message: z.string(),
  /** pagantic's code, where it failed. */
  code: z.string().nullable(),
  duration_ms: z.number(),
  tokens: z.int(),
});
export type ModelTest = z.infer<typeof modelTestSchema>;

export const recordedModelsSchema = z.object({
  /** Files that were written; none where some are there already and may not be replaced. */
  written: z.array(z.object({ path: z.string(), node: z.string(), turns: z.int() })),
  /** Those of the files that were there before. */
  existing: z.array(z.string()),
});
export type RecordedModels = z.infer<typeof recordedModelsSchema>;

const name = z.string().regex(/^[A-Za-z0-9._-]+$/, 'letters, digits, ".", "_" and "-"');
const address = z.url({ protocol: /^https?$/ });

export const modelsContract = {
  overview: procedure.output(modelsOverviewSchema),
  /** Stores a key for one endpoint, replacing an earlier one. Keys are never returned. */
  setKey: procedure.input(z.object({ provider: name, endpoint: address, key: z.string().min(1).max(4096) })).output(modelsOverviewSchema),
  removeKey: procedure.input(z.object({ provider: name, endpoint: z.string() })).output(modelsOverviewSchema),
  /** Adds a service of `genai://` for all folders, or gives it another address. */
  setService: procedure.input(z.object({ name, base_url: address })).output(modelsOverviewSchema),
  removeService: procedure.input(z.object({ name })).output(modelsOverviewSchema),
  /** Allows a GGUF file to be loaded, wherever it lies. */
  addFile: procedure.input(z.object({ path: z.string().min(1) })).output(modelsOverviewSchema),
  removeFile: procedure.input(z.object({ path: z.string() })).output(modelsOverviewSchema),
  setDefault: procedure.input(z.object({ model: z.string().nullable() })).output(modelsOverviewSchema),
  /** `price` null: forget it. */
  setPrice: procedure.input(z.object({ model: z.string().min(1), price: modelPriceSchema.nullable() })).output(modelsOverviewSchema),
  /** Models that a provider offers now, asked of itself. */
  list: procedure.input(z.object({ provider: z.string() })).output(z.array(listedModelSchema)),
  /** Makes one small request of a model. What goes wrong is a result, not a failure. */
  test: procedure.input(z.object({ model: z.string() })).output(modelTestSchema),
  /** Writes what the models of a run answered as `script://` files of the folder. Without `replace` it overwrites nothing, and reports existing files. */
  record: procedure
    .input(z.object({ run_id: z.string(), path: z.string().min(1), replace: z.boolean().default(false) }))
    .output(recordedModelsSchema),
};
