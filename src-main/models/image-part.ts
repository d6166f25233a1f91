import { isJsonObject, type Json } from '#shared/json.ts';
import { floatJson, withRawFloats } from '#shared/run/float-json.ts';
import { imageTypes } from '#shared/run/image-types.ts';
import type { MessagePartOf } from '#shared/run/message.ts';

type Image = MessagePartOf<'image'>;

/** Whether a value is an image as in states and results: `{"type": "image", "media_type": "image/png", "data": BASE64}`. */
export function isImage(value: Json | undefined): value is Image {
  return isJsonObject(value ?? null) && (value as Partial<Image>).type === 'image' && typeof (value as Partial<Image>).data === 'string';
}

/** A tool's result in the form sent to models. */
export interface ModelResult {
  /** The result without its images; `[image 1]` replaces the first of `images`. */
  readonly value: Json;
  /** `value` as text. */
  readonly text: string;
  /** Images of supported types; for others the text only names the type. */
  readonly images: readonly Image[];
}

/** Converts a tool's result for a model: without the bytes of images, and prefixed with the input that ran if the user edited it. */
export function modelResult({
  result,
  ran_with,
  floats = [],
}: Pick<MessagePartOf<'tool_result'>, 'result' | 'ran_with' | 'floats'>): ModelResult {
  const shown =
    floats.length > 0
      ? { value: withRawFloats({ value: result, floats }), text: floatJson({ value: result, floats }), images: [] }
      : withoutImages(result);
  if (ran_with === undefined) return shown;
  const text = `The user edited the input of this call before it ran. It ran with: ${JSON.stringify(ran_with)}\n\n${shown.text}`;
  return { ...shown, value: text, text };
}

function withoutImages(result: Json): ModelResult {
  const images: Image[] = [];
  const replaceImages = (value: Json): Json => {
    if (isImage(value)) {
      if (!imageTypes.has(value.media_type)) return `[an image of type ${value.media_type}]`;
      images.push(value);
      return `[image ${images.length}]`;
    }
    if (Array.isArray(value)) return value.map(replaceImages);
    if (!isJsonObject(value)) return value;
    // Join text parts instead of quoting them as JSON.
    if (value.type === 'text' && typeof value.text === 'string' && Object.keys(value).length === 2) return value.text;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceImages(item)]));
  };
  if (!holdsImage(result)) return { value: result, text: asText(result), images };
  const value = replaceImages(result);
  const lines = Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.join('\n') : value;
  return { value: lines, text: asText(lines), images };
}

function holdsImage(value: Json): boolean {
  if (isImage(value)) return true;
  if (Array.isArray(value)) return value.some(holdsImage);
  return isJsonObject(value) && Object.values(value).some(holdsImage);
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
