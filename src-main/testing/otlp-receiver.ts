import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly arrayValue?: { readonly values: readonly Value[] };
}

interface Attribute {
  readonly key: string;
  readonly value: Value;
}

/** A span as OTLP has it, with its attributes by name. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: Readonly<Record<string, Value>>;
}

type Scopes<Name extends string, Item> = readonly ({ readonly resource: { readonly attributes: readonly Attribute[] } } & {
  readonly [Key in `scope${Capitalize<Name>}`]: readonly { readonly [Each in Name]: readonly Item[] }[];
})[];

type SentSpan = Omit<ReceivedSpan, 'attributes' | 'links'> & {
  readonly attributes: readonly Attribute[];
  readonly links?: ReceivedSpan['links'];
};

/** A collector: receives traces and metrics by OTLP over HTTP in JSON. */
export class OtlpReceiver implements AsyncDisposable {
  readonly spans: ReceivedSpan[] = [];
  readonly metrics = new Set<string>();
  readonly services = new Set<string>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const body: unknown = JSON.parse(await text(request));
      if (request.url === '/v1/traces') this.#takeSpans((body as { resourceSpans: Scopes<'spans', SentSpan> }).resourceSpans);
      if (request.url === '/v1/metrics')
        this.#takeMetrics((body as { resourceMetrics: Scopes<'metrics', { name: string }> }).resourceMetrics);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }

  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    await new Promise<void>((done) => receiver.#server.listen(0, '127.0.0.1', done));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  named(name: string): readonly ReceivedSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  /** Names from the outermost span to this one. */
  path(span: ReceivedSpan): readonly string[] {
    const parent = this.spans.find(({ spanId, traceId }) => spanId === span.parentSpanId && traceId === span.traceId);
    return [...(parent ? this.path(parent) : []), span.name];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #takeSpans(resources: Scopes<'spans', SentSpan>): void {
    for (const { resource, scopeSpans } of resources) {
      this.#takeService(resource.attributes);
      for (const { spans } of scopeSpans)
        this.spans.push(...spans.map((span) => ({ ...span, links: span.links ?? [], attributes: byName(span.attributes) })));
    }
  }

  #takeMetrics(resources: Scopes<'metrics', { readonly name: string }>): void {
    for (const { scopeMetrics } of resources)
      for (const { metrics } of scopeMetrics) for (const { name } of metrics) this.metrics.add(name);
  }

  #takeService(attributes: readonly Attribute[]): void {
    const { 'service.name': service } = byName(attributes);
    if (service?.stringValue !== undefined) this.services.add(service.stringValue);
  }
}

function byName(attributes: readonly Attribute[]): Readonly<Record<string, Value>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value]));
}
