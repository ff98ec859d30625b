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
import { drawImage, type ImageSpec } from '../images/drawImage';
import { ImageStore } from '../images/imageStore';
import { isAspectRatio, isImageSize, resolutionOf } from '../images/resolution';

const filesPath = '/__emulator/files/images';

/** The optional fields of a request. An invalid one is ignored (section 4.4, rule 2). */
const extraFields = z.object({
	aspect_ratio: z.string().refine(isAspectRatio).optional().catch(undefined),
	image_size: z.string().refine(isImageSize).optional().catch(undefined),
	temperature: z.number().optional().catch(undefined),
	reference_images: z.array(imageAddress.optional().catch(undefined)).optional().catch(undefined),
});

const imageRequest = z.object({
	model: z.string(),
	prompt: z.string(),
	size: z.string(),
	extra_fields: extraFields.optional(),
});

/** Addresses under `.invalid` never resolve, so a model fails on them (section 4.4, rule 3). */
function isInaccessible(address: string): boolean {
	return /^https?:/i.test(address) && new URL(address).hostname.endsWith('.invalid');
}

function usageOf({ prompt, references, width, height }: ImageSpec, count: number) {
	const inputTokens = countTokens(prompt) + references.length * 258;
	const outputTokens = count * Math.ceil((width * height) / 1024);
	return {
		input_tokens: inputTokens,
		output_tokens: outputTokens,
		total_tokens: inputTokens + outputTokens,
	};
}

/** Returns one element of `data`. */
function imageObject(spec: ImageSpec, shape: ImageShape, urlOf: (spec: ImageSpec) => string) {
	const base64 = () => drawImage(spec).toString('base64');
	const { answerAs = 'url' } = shape;
	const fields: Record<string, string> = shape.emptyFields
		? { url: '', b64_json: '', revised_prompt: '' }
		: {};
	if (answerAs === 'url') fields.url = urlOf(spec);
	if (answerAs === 'dataUri') fields.url = `data:image/png;base64,${base64()}`;
	if (answerAs === 'b64_json') fields.b64_json = base64();
	if (shape.revisedPrompt) fields.revised_prompt = `${spec.prompt}, in soft morning light`;
	return fields;
}

/** Serves `POST /v1/images/generations` (section 4.4), and the files that its responses link to, without a key. */
export const imageRoutes: FastifyPluginAsync<{ now: () => number }> = async (app, { now }) => {
	const store = new ImageStore();

	app.post('/v1/images/generations', async (request) => {
		const { images: shape } = exchangeOf(request).treatment;
		const { model, prompt, size, extra_fields: extra = {} } = jsonBody(request, imageRequest);
		findModel(model, 'image');
		if (prompt.trim() === '') throw invalidRequest('Invalid value for "prompt": it is empty.');
		const references = (extra.reference_images ?? []).filter((address) => address !== undefined);
		if (references.some(isInaccessible)) throw imageFailure('noImage');

		const options = { aspectRatio: extra.aspect_ratio, imageSize: extra.image_size };
		const specs = Array.from({ length: shape.count ?? 1 }, (_, index): ImageSpec => ({
			prompt,
			model,
			...resolutionOf(size, options),
			references,
			temperature: extra.temperature,
			index,
			fileBytes: shape.fileBytes,
		}));
		const urlOf = (spec: ImageSpec) => `${foreignOrigin(request)}${filesPath}/${store.add(spec)}`;
		return {
			created: Math.floor(now() / 1000),
			data: specs.map((spec) => imageObject(spec, shape, urlOf)),
			...(shape.usage ? { usage: usageOf(specs[0], specs.length) } : {}),
		};
	});

	app.get<{ Params: { name: string } }>(`${filesPath}/:name`, async (request, reply) => {
		const file = store.read(request.params.name);
		if (!file) return reply.code(404).type('text/plain').send('There is no such file.');
		return reply.type('image/png').send(file);
	});
};
