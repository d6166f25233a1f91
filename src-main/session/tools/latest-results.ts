import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';

type Convert = (result: JsonObject) => JsonObject;

const ofRequest: Convert = ({ status, error, ...rest }) => {
  const isSent = status !== 0;
  return { status: isSent ? 'success' : 'error', status_code: status as Json, ...rest, error: error ?? null };
};

const ofValue: Convert = ({ error, ...rest }) => ({
  status: error === undefined || error === null ? 'success' : 'error',
  ...rest,
  error: error ?? null,
});

const converters: Readonly<Record<string, Convert>> = {
  http_request: ofRequest,
  alert: ofRequest,
  transform: ofValue,
  condition: ofValue,
  storage: ({ success, error, ...rest }) => ({ status: success === true ? 'success' : 'error', ...rest, error: error ?? null }),
};

/** A result of one of PyFlow's tools in the form of the newest PyFlow: `status`, and `error`, which is null after a success. */
export function latestResult(tool: string, result: Json): Json {
  const convert = Object.hasOwn(converters, tool) ? converters[tool] : undefined;
  return convert && isJsonObject(result) ? convert(result) : result;
}
