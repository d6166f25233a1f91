import { isImage } from '#main/models/image-part.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/runtime/error.ts';
import { imageTypes, isBase64 } from '#shared/runtime/image-types.ts';
import type { MessagePart, MessagePartOf } from '#shared/runtime/message.ts';

/**
 * What a model is told, as parts of a message: text stands as it is, other values as their JSON (texts too, where `asJson`). An image in a value, which is
 * `{"type": "image", "media_type": "image/png", "data": BASE64}` at any depth, becomes a part of its own; inside a larger value `[image 1]` stands in its place.
 * Throws `FlowError` `HandlerError` for an image that no model takes.
 */
export function promptParts(pieces: readonly Json[], asJson = false): MessagePart[] {
  const parts: MessagePart[] = [];
  let count = 0;
  const addText = (text: string) => {
    const last = parts.at(-1);
    if (last?.type === 'text') parts[parts.length - 1] = { type: 'text', text: last.text + text };
    else if (text !== '') parts.push({ type: 'text', text });
  };
  for (const piece of pieces) {
    if (typeof piece === 'string' && !asJson) addText(piece);
    else if (isImage(piece)) parts.push(imagePart(piece));
    else {
      const images: MessagePart[] = [];
      const text = JSON.stringify(piece, (_key, value: Json) => {
        if (!isImage(value)) return value;
        images.push(imagePart(value));
        count += 1;
        return `[image ${count}]`;
      });
      addText(text);
      parts.push(...images);
    }
  }
  return parts.length > 0 ? parts : [{ type: 'text', text: '' }];
}

type Image = MessagePartOf<'image'>;

function imagePart({ media_type, data }: Image): Image {
  if (!imageTypes.has(media_type)) {
    throw new FlowError('HandlerError', `An image of type ${media_type} cannot be shown to a model; use ${[...imageTypes].join(', ')}.`, {
      retryable: false,
      details: { media_type },
    });
  }
  if (!isBase64(data)) {
    throw new FlowError(
      'HandlerError',
      'An image for a model is not base64. Its "data" takes the bytes of the file in base64, and nothing else.',
      {
        retryable: false,
      },
    );
  }
  return { type: 'image', media_type, data };
}
