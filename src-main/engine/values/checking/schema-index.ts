import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { namedSchemas, plainValues } from './schema-check.ts';

/** A schema with its own address, and what is named in it. */
export interface SchemaResource {
  readonly uri: string;
  readonly root: Json;
  readonly anchors: Map<string, Json>;
  readonly dynamicAnchors: Map<string, Json>;
}

/** Stands for the address of a schema that has none. */
const noAddress = 'schema://root/';

/** The resources of a schema, by which its references are resolved. Nothing is fetched. */
export class SchemaIndex {
  readonly #resources = new Map<string, SchemaResource>();
  readonly #resourceOf = new Map<Json, SchemaResource>();

  constructor(root: Json) {
    const own = isJsonObject(root) && typeof root.$id === 'string' ? root.$id : '';
    this.#add(root, this.#resource(addressOf(own, noAddress), root));
  }

  /** The resource that a subschema belongs to; `around` for one that is found only by a pointer. */
  resourceOf(schema: Json, around: SchemaResource | undefined): SchemaResource {
    return this.#resourceOf.get(schema) ?? (around as SchemaResource);
  }

  /** The schema that a reference in `base` leads to. Throws where it leads nowhere. */
  resolve(reference: string, base: SchemaResource): { readonly schema: Json; readonly resource: SchemaResource; readonly name: string } {
    const [address = '', fragment = ''] = reference.split('#', 2);
    const resource = address === '' ? base : this.#resources.get(addressOf(address, base.uri));
    const name = decoded(fragment);
    const schema = resource && (name === '' || name.startsWith('/') ? this.#at(resource, name) : resource.anchors.get(name));
    if (!resource || schema === undefined) throw new Error(`Cannot resolve the reference ${reference}: the schema has no such part.`);
    return { schema, resource: this.resourceOf(schema, resource), name };
  }

  #resource(uri: string, root: Json): SchemaResource {
    const resource = { uri, root, anchors: new Map(), dynamicAnchors: new Map() };
    if (!this.#resources.has(uri)) this.#resources.set(uri, resource);
    return resource;
  }

  #add(schema: Json, around: SchemaResource): void {
    if (Array.isArray(schema)) for (const item of schema) this.#add(item, around);
    if (!isJsonObject(schema)) return;
    const resource =
      typeof schema.$id === 'string' && schema !== around.root ? this.#resource(addressOf(schema.$id, around.uri), schema) : around;
    this.#resourceOf.set(schema, resource);
    if (typeof schema.$anchor === 'string') resource.anchors.set(schema.$anchor, schema);
    if (typeof schema.$dynamicAnchor === 'string') {
      resource.anchors.set(schema.$dynamicAnchor, schema);
      resource.dynamicAnchors.set(schema.$dynamicAnchor, schema);
    }
    for (const [keyword, value] of Object.entries(schema)) {
      if (plainValues.has(keyword)) continue;
      if (namedSchemas.has(keyword) && isJsonObject(value)) for (const inner of Object.values(value)) this.#add(inner, resource);
      else this.#add(value, resource);
    }
  }

  #at({ root }: SchemaResource, pointer: string): Json | undefined {
    let found: Json | undefined = root;
    for (const segment of pointer.split('/').slice(1)) {
      const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
      found = (found as JsonObject)[key];
    }
    return found;
  }
}

/** An address without its fragment. */
function addressOf(reference: string, base: string): string {
  try {
    return new URL(reference, base).href.replace(/#.*$/s, '');
  } catch {
    return reference.replace(/#.*$/s, '');
  }
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
