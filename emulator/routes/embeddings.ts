import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { findModel } from '../catalogue/findModel';
import { countTokens } from '../chat/tokens';
import { invalidRequest } from '../http/errors';
import { exchangeOf } from '../http/exchange';
import { jsonBody } from '../http/jsonBody';
import { vectorOf } from '../ranking/vector';

/** The limits of comparable services, because the interface shows none (4.12). */
const maxInputs = 2_048;
const maxTokens = 8_192;

const embeddingRequest = z.object({
	model: z.string(),
	input: z.union([z.string(), z.array(z.string()).min(1, 'there is no text')]),
	encoding_format: z.enum(['float', 'base64']).default('float'),
	dimensions: z.number().int().min(1).optional(),
	/** Some clients send this field. */
	user: z.string().optional(),
});
type EmbeddingRequest = z.output<typeof embeddingRequest>;

/** The interface names the endpoint without its fields; without these two, there is nothing to do. */
const neededFields = embeddingRequest.pick({ model: true, input: true });

function checkText(text: string, field: string): void {
	if (text.trim() === '') throw invalidRequest(`Invalid value for "${field}": it is empty.`);
	const tokens = countTokens(text);
	if (tokens <= maxTokens) return;
	throw invalidRequest(
		`Invalid value for "${field}": it has ${tokens} tokens, at most ${maxTokens} are allowed.`,
	);
}

function checkLimits({ model, input, dimensions = 1 }: EmbeddingRequest, maxDimensions: number): void {
	if (Array.isArray(input) && input.length > maxInputs) {
		throw invalidRequest(`Invalid value for "input": at most ${maxInputs} texts are allowed.`);
	}
	if (dimensions > maxDimensions) {
		throw invalidRequest(`Invalid value for "dimensions": "${model}" has at most ${maxDimensions}.`);
	}
	[input]
		.flat()
		.forEach((text, index) => checkText(text, typeof input === 'string' ? 'input' : `input[${index}]`));
}

/** Returns the vector as numbers, or as base64 of its little-endian 32-bit floats. */
function encoded(vector: Float32Array, format: 'float' | 'base64'): number[] | string {
	if (format === 'float') return [...vector];
	const bytes = Buffer.alloc(vector.length * 4);
	vector.forEach((value, index) => bytes.writeFloatLE(value, index * 4));
	return bytes.toString('base64');
}

/** Serves `POST /v1/embeddings` (section 4.12), with vectors whose cosine reflects the words that texts share. */
export const embeddingRoutes: FastifyPluginAsync = async (app) => {
	app.post('/v1/embeddings', async (request) => {
		const body = jsonBody(request, embeddingRequest, neededFields);
		const { model: id, input, encoding_format: format } = body;
		const { dimensions: maxDimensions = 1 } = findModel(id, 'embedding');
		if (exchangeOf(request).treatment.checkUndocumented) checkLimits(body, maxDimensions);
		const dimensions = Math.min(body.dimensions ?? maxDimensions, maxDimensions);
		const texts = [input].flat();
		const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
		return {
			object: 'list',
			data: texts.map((text, index) => ({
				object: 'embedding',
				index,
				embedding: encoded(vectorOf(text, dimensions), format),
			})),
			model: id,
			usage: { prompt_tokens: tokens, total_tokens: tokens },
		};
	});
};
