import { ToolError } from '#shared/run/error.ts';

/** Names that the language itself reads of any object: whether it is a promise, how it is shown. */
const ofLanguage = new Set(['then', 'toJSON', 'constructor', 'inspect', 'nodeType', 'asymmetricMatch', '$$typeof']);

/** The services of a context. Reading one that is missing throws `ToolError` `Missing`; `'db' in services` asks without throwing. */
export function servicesOf<Services extends object>(services: Services): Services {
  return new Proxy(services, {
    get(target, key, receiver): unknown {
      if (typeof key === 'string' && !(key in target) && !ofLanguage.has(key)) throw missing(key, Object.keys(target));
      return Reflect.get(target, key, receiver);
    },
  });
}

function missing(name: string, known: readonly string[]): ToolError {
  const others = known.length === 0 ? 'It has none.' : `It has ${known.join(', ')}.`;
  return new ToolError('Missing', `The context has no service ${name}. ${others} Add it: createContext({ services: { ${name} } }).`, {
    details: { service: name },
  });
}
