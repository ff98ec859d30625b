import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import type { ImageShape } from '../behaviour/rule';
import { findModel } from '../catalogue/findModel';
import { countTokens } from '../chat/tokens';
import { imageAddress } from '../formats/imageAddress';
import { imageFailure, invalidRequest } from '../http/errors';
import { exchangeOf } from '../http/exchange';
import { foreignOrigin } from '../http/foreignOrigin';
import { jsonBody } from '../http/jsonBody';
import { drawImage, type ImageOrder } from '../images/drawImage';
import { isAspectRatio, isImageSize, resolutionOf } from '../images/resolution';
import { Shelf } from '../images/shelf';

const filesPath = '/__emulator/files/images';

/** An invalid sub-field of `extra_fields` is ignored (section 4.4, rule 2). */
const extraFields = z.object({
	aspect_ratio: z.string().refine(isAspectRatio).optional().catch(undefined),
	image_size: z.string().refine(isImageSize).optional().catch(undefined),
	temperature: z.number().min(0).max(2).optional().catch(undefined),
	reference_images: z.array(imageAddress.optional().catch(undefined)).optional().catch(undefined),
});

const imageRequest = z.object({
	model: z.string(),
	prompt: z.string(),
	size: z.string(),
	extra_fields: extraFields.optional(),
});

/** Addresses under `.invalid` lead nowhere by definition, so a model that is given one fails (section 4.4, rule 3). */
function isInaccessible(address: string): boolean {
	return /^https?:/i.test(address) && new URL(address).hostname.endsWith('.invalid');
}

function usageOf({ prompt, references, width, height }: ImageOrder, count: number) {
	const inputTokens = countTokens(prompt) + references.length * 258;
	const outputTokens = count * Math.ceil((width * height) / 1024);
	return {
		input_tokens: inputTokens,
		output_tokens: outputTokens,
		total_tokens: inputTokens + outputTokens,
	};
}

/** One element of `data`. */
function imageObject(order: ImageOrder, shape: ImageShape, urlOf: (order: ImageOrder) => string) {
	const base64 = () => drawImage(order).toString('base64');
	const { answerAs = 'url' } = shape;
	const fields: Record<string, string> = shape.emptyFields
		? { url: '', b64_json: '', revised_prompt: '' }
		: {};
	if (answerAs === 'url') fields.url = urlOf(order);
	if (answerAs === 'dataUri') fields.url = `data:image/png;base64,${base64()}`;
	if (answerAs === 'b64_json') fields.b64_json = base64();
	if (shape.revisedPrompt) fields.revised_prompt = `${order.prompt}, in soft morning light`;
	return fields;
}

/** `POST /v1/images/generations` (section 4.4), and the files that its answers point to, served without a key. */
export const imageRoutes: FastifyPluginAsync<{ now: () => number }> = async (app, { now }) => {
	const shelf = new Shelf();

	app.post('/v1/images/generations', async (request) => {
		const { images: shape } = exchangeOf(request).treatment;
		const { model, prompt, size, extra_fields: extra = {} } = jsonBody(request, imageRequest);
		findModel(model, 'image');
		if (prompt.trim() === '') throw invalidRequest('Invalid value for "prompt": it is empty.');
		const references = (extra.reference_images ?? []).filter((address) => address !== undefined);
		if (references.some(isInaccessible)) throw imageFailure('noImage');

		const wishes = { aspectRatio: extra.aspect_ratio, imageSize: extra.image_size };
		const orders = Array.from({ length: shape.count ?? 1 }, (_, index): ImageOrder => ({
			prompt,
			model,
			...resolutionOf(size, wishes),
			references,
			temperature: extra.temperature,
			index,
			fileBytes: shape.fileBytes,
		}));
		const urlOf = (order: ImageOrder) => `${foreignOrigin(request)}${filesPath}/${shelf.put(order)}`;
		return {
			created: Math.floor(now() / 1000),
			data: orders.map((order) => imageObject(order, shape, urlOf)),
			...(shape.usage ? { usage: usageOf(orders[0], orders.length) } : {}),
		};
	});

	app.get<{ Params: { name: string } }>(`${filesPath}/:name`, async (request, reply) => {
		const file = shelf.take(request.params.name);
		if (!file) return reply.code(404).type('text/plain').send('There is no such file.');
		return reply.type('image/png').send(file);
	});
};
