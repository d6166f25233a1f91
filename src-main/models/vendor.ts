import type { ModelClient } from '#main/engine/ports/model-client.ts';
import { type HostedName, providers } from '#shared/flow/providers.ts';
import { type Endpoint, vendorEndpoint } from './endpoint.ts';
import type { ModelHttp } from './model-http.ts';
import { type ProviderCall, providerClient, type StreamEnd } from './provider-client.ts';
import { type ProviderSource, timingOf } from './provider-source.ts';

/** A connection to an endpoint, from which a vendor's client is created. */
export interface Connection {
  readonly endpoint: Endpoint;
  readonly http: ModelHttp;
}

/** A provider of `NAME://MODEL`: a vendor's protocol at an endpoint that needs a key. */
export interface Vendor {
  readonly name: HostedName;
  /** Exchanges a request for an answer. */
  readonly exchange: (model: string, call: ProviderCall) => Promise<StreamEnd>;
  /** Counts the tokens of a request by the vendor's own counting call. Absent if it has none. */
  readonly count?: (model: string, call: ProviderCall) => Promise<number | undefined>;
  /** Lists the names of the vendor's models. */
  readonly list: (connection: Connection) => Promise<string[]>;
}

/** Creates the client of a vendor's model. Throws `AgentError` if there is no key. */
export async function vendorModel(vendor: Vendor, model: string, source: ProviderSource): Promise<ModelClient> {
  const url = `${vendor.name}://${model}`;
  const { count } = vendor;
  const endpoint = await vendorEndpoint(url, vendor.name, providers[vendor.name], await source.keySources());
  return providerClient(
    url,
    endpoint,
    timingOf(source, vendor.name),
    (call) => vendor.exchange(model, call),
    count && ((call) => count(model, call)),
  );
}
