import { isJsonObject, type Json } from '#shared/json.ts';
import { imageTypes } from '#shared/runtime/image-types.ts';
import type { MessagePartOf } from '#shared/runtime/message.ts';

type Image = MessagePartOf<'image'>;

/** Whether a value is an image, as states and results hold them: `{"type": "image", "media_type": "image/png", "data": BASE64}`. */
export function isImage(value: Json | undefined): value is Image {
  return isJsonObject(value ?? null) && (value as Partial<Image>).type === 'image' && typeof (value as Partial<Image>).data === 'string';
}

/** A tool's result as a model is told it. */
export interface ToldResult {
  /** The result without its images; `[image 1]` stands in the place of the first of `images`. */
  readonly value: Json;
  /** `value` as text. */
  readonly text: string;
  /** Those that models take; of others only their kind is told. */
  readonly images: readonly Image[];
}

/** A tool's result for a model: without the bytes of its images, and with what ran in front of it where that was not the model's own input. */
export function toldResult({ result, ran_with }: Pick<MessagePartOf<'tool_result'>, 'result' | 'ran_with'>): ToldResult {
  const told = withoutImages(result);
  if (ran_with === undefined) return told;
  const text = `A person edited this call's input before it ran. It ran with: ${JSON.stringify(ran_with)}\n\n${told.text}`;
  return { ...told, value: text, text };
}

function withoutImages(result: Json): ToldResult {
  const images: Image[] = [];
  const told = (value: Json): Json => {
    if (isImage(value)) {
      if (!imageTypes.has(value.media_type)) return `[an image of type ${value.media_type}]`;
      images.push(value);
      return `[image ${images.length}]`;
    }
    if (Array.isArray(value)) return value.map(told);
    if (!isJsonObject(value)) return value;
    // Parts of text read best as the text that they are.
    if (value.type === 'text' && typeof value.text === 'string' && Object.keys(value).length === 2) return value.text;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, told(item)]));
  };
  if (!holdsImage(result)) return { value: result, text: asText(result), images };
  const value = told(result);
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
