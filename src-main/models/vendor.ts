import { type Endpoint, type VendorVariables, vendorEndpoint } from '#main/models/endpoint.ts';
import type { ModelClient } from '#main/models/model-client.ts';
import type { ModelHttp } from '#main/models/model-http.ts';
import { type ProviderCall, providerClient, type StreamEnd } from '#main/models/provider-client.ts';
import type { ProviderSource } from '#main/models/provider-source.ts';

/** A way to an endpoint: what a vendor's client is made of. */
export interface Connection {
  readonly endpoint: Endpoint;
  readonly http: ModelHttp;
}

/** A provider of `NAME://MODEL`: one vendor's protocol at one endpoint, which needs a key. */
export interface Vendor {
  readonly name: 'openai' | 'anthropic' | 'gemini';
  readonly variables: VendorVariables;
  /** Exchanges one request for one answer. */
  readonly exchange: (model: string, call: ProviderCall) => Promise<StreamEnd>;
  /** Names of the models that the vendor offers. */
  readonly list: (connection: Connection) => Promise<string[]>;
}

/** A model at its vendor's. Throws `AgentError` where there is no key. */
export async function vendorModel(vendor: Vendor, model: string, source: ProviderSource): Promise<ModelClient> {
  const url = `${vendor.name}://${model}`;
  const endpoint = await vendorEndpoint(url, vendor.name, vendor.variables, await source.keySources());
  return providerClient(url, endpoint, source.timing, (call) => vendor.exchange(model, call));
}
