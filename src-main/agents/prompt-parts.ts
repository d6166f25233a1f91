import { isImage } from '#main/models/image-part.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { imageTypes, isBase64 } from '#shared/run/image-types.ts';
import type { MessagePart, MessagePartOf } from '#shared/run/message.ts';

/**
 * Converts prompt pieces to message parts: text stays as is, other values become JSON (strings too, with `asJson`). An image in a value,
 * `{"type": "image", "media_type": "image/png", "data": BASE64}` at any depth, becomes its own part; inside a larger value it is replaced by
 * `[image 1]`. Throws `FlowError` `HandlerError` for an unsupported image.
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
    throw new FlowError('HandlerError', `Models do not support images of type ${media_type}. Use ${[...imageTypes].join(', ')}.`, {
      retryable: false,
      details: { media_type },
    });
  }
  if (!isBase64(data)) {
    throw new FlowError('HandlerError', 'Invalid image for a model: "data" must be the bytes of the file in base64.', {
      retryable: false,
    });
  }
  return { type: 'image', media_type, data };
}
