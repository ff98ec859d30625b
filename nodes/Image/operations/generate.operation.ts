import type { IDataObject } from 'n8n-workflow';
import { toFailure, type GatewayFailure } from '../../shared/errors/gatewayFailure';
import type { ItemOperation, OperationFailure, OperationResult } from '../../shared/run/operation';
import { LooseFields } from '../../shared/answer/looseFields';
import { generate, type ImageOrder, receive, type ReceivedImage, tokensIn } from '../generate';
import type { ImageAnswer } from '../readImages';
import { ImageFiles } from '../imageFiles';
import { generateFields, readOrder, readOutput, sizeHint } from './generate.fields';

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
		call.hint(sizeHint(order));
		const store = new ImageFiles(call, { prompt: order.prompt, fileName });

		const { answer, files, useless } = await generate(call, order, store);
		const loose = new LooseFields();
		loose.leftOut.push(...answer.leftOut);
		const results: Array<OperationResult | OperationFailure> = [];
		for (const [index, image] of answer.images.entries()) {
			try {
				const received = await receive(store, files, image, index, downloads);
				const hasTokens = !results.some((result) => 'json' in result);
				results.push({
					json: simplify
						? simplified(order, answer, received, index, { hasTokens, loose })
						: raw(answer, received),
					files: received.file ? { [field]: received.file } : {},
				});
			} catch (error) {
				const failure = toFailure(error);
				if (failure.kind === 'answer') await useless(failure);
				results.push({ failure: failedImage(failure, index, answer.images.length) });
			}
		}
		call.hint(loose.hint);
		return results;
	},
};

/**
 * The item of one image.
 *
 * @param hasTokens whether it is the first image that has arrived: the gateway reports tokens for the whole response
 * @param loose notes what cannot be read
 */
function simplified(
	{ model, prompt }: ImageOrder,
	answer: ImageAnswer,
	{ url, file, facts }: ReceivedImage,
	index: number,
	{ hasTokens, loose }: { hasTokens: boolean; loose: LooseFields },
): IDataObject {
	const { images, others } = answer;
	return {
		prompt,
		model,
		mimeType: file?.mimeType,
		width: file?.width,
		height: file?.height,
		bytes: file?.bytes,
		image: index + 1,
		images: images.length,
		created: loose.time(others.created, 'created'),
		...(hasTokens ? tokensIn(answer, loose) : {}),
		// Long values come last, so that the rest of a table can be read.
		revisedPrompt: loose.text(facts.revised_prompt, 'revised_prompt'),
		url,
	};
}

/** The gateway's response, with only this image and without the content of its file. */
function raw({ others }: ImageAnswer, { facts }: ReceivedImage): IDataObject {
	// Entries without an image, as far as their list has this name.
	const unread = Array.isArray(others.data) ? (others.data as IDataObject[]) : [];
	return { ...others, data: [facts, ...unread] };
}

function failedImage(failure: GatewayFailure, index: number, images: number): GatewayFailure {
	return failure.with({ partial: { ...failure.facts.partial, image: index + 1, images } });
}
