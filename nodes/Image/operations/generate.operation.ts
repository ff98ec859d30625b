import type { IDataObject } from 'n8n-workflow';
import { toFailure, type GatewayFailure } from '../../shared/errors/gatewayFailure';
import type { ItemOperation, OperationFailure, OperationResult } from '../../shared/runtime/operation';
import { generate, type ImageAnswer, type ImageOrder, receive, type ReceivedImage } from '../generate';
import { ImageFiles } from '../imageFiles';
import { generateFields, readOrder, readOutput } from './generate.fields';
import { isoTime } from '../../shared/values';

/** Generates images from a prompt (interface, 4.4). */
export const generateImage: ItemOperation = {
	value: 'generate',
	name: 'Generate',
	action: 'Generate image',
	description: 'Generate one or more images from a prompt, with or without reference images',
	fields: generateFields,
	async run(call) {
		const order = await readOrder(call);
		const { field, fileName, downloads, simplify } = readOutput(call);
		const store = new ImageFiles(call, { prompt: order.prompt, fileName });

		const { answer, files, useless } = await generate(call, order, store);
		return await call.downloadPhase(async () => {
			const results: Array<OperationResult | OperationFailure> = [];
			// In sequence, so that a run downloads at most Max Concurrency files at once.
			for (const [index, image] of answer.data.entries()) {
				try {
					const received = await receive(store, files, image, index, downloads);
					results.push({
						json: simplify ? simplified(order, answer, received, index) : raw(answer, received),
						files: received.file ? { [field]: received.file } : {},
					});
				} catch (error) {
					const failure = toFailure(error);
					if (failure.kind === 'answer') await useless(failure);
					results.push({ failure: failedImage(failure, index, answer.data.length) });
				}
			}
			return results;
		});
	},
};

/** The gateway reports tokens for the whole response, so only the first image has them. */
function simplified(
	{ model, prompt }: ImageOrder,
	{ created, usage, data }: ImageAnswer,
	{ url, file, facts }: ReceivedImage,
	index: number,
): IDataObject {
	const tokens = index === 0 ? usage : undefined;
	return {
		url,
		prompt,
		revisedPrompt: facts.revised_prompt as string | undefined,
		model,
		mimeType: file?.mimeType,
		bytes: file?.bytes,
		image: index + 1,
		images: data.length,
		created: timeOf(created),
		inputTokens: tokens?.input_tokens,
		outputTokens: tokens?.output_tokens,
		totalTokens: tokens?.total_tokens,
	};
}

/** ISO time of Unix seconds; undefined for a value that is not a time. */
function timeOf(seconds: number | null | undefined): string | undefined {
	return isoTime((seconds || Number.NaN) * 1000);
}

/** The gateway's response, with only this image and without the content of its file. */
function raw(answer: ImageAnswer, { facts }: ReceivedImage): IDataObject {
	return { ...answer, data: [facts] };
}

function failedImage(failure: GatewayFailure, index: number, images: number): GatewayFailure {
	return failure.with({ partial: { ...failure.facts.partial, image: index + 1, images } });
}
