import type { IDataObject } from 'n8n-workflow';
import { addressOf, readImages } from '../../shared/files/images';
import { toFailure, type GatewayFailure } from '../../shared/errors/gatewayFailure';
import type { Call } from '../../shared/runtime/call';
import type { ItemOperation, OperationFailure, OperationResult } from '../../shared/runtime/operation';
import type { ImageAnswer } from '../imageSchema';
import { generate, receive, type ReceivedImage } from '../generate';
import { ImageFiles } from '../imageFiles';
import { aspectRatioOf, type ImageOrder } from '../request';
import { generateFields } from './generate.fields';

/** Makes images from a prompt (interface, 4.4). */
export const generateImage: ItemOperation = {
	value: 'generate',
	name: 'Generate',
	action: 'Generate image',
	description: 'Make one or more images from a prompt, with or without reference images',
	fields: generateFields,
	async run(call) {
		const order = await readOrder(call);
		const field = call.requiredText('binaryPropertyName', 'Put Output File in Field');
		const wantsDownload = call.flag('downloadImages');
		const store = new ImageFiles(call, { prompt: order.prompt, fileName: optionText(call, 'fileName') });

		const { answer, files } = await generate(call, order, store);
		return await call.afterwards(async () => {
			const results: Array<OperationResult | OperationFailure> = [];
			// One after another, so that a run fetches no more files at once than Max Concurrency allows.
			for (const [index, image] of answer.data.entries()) {
				try {
					const received = await receive(store, files, image, index, wantsDownload);
					results.push({
						json: call.flag('simplify') ? simplified(order, answer, received, index) : raw(answer, received),
						files: received.file ? { [field]: received.file } : {},
					});
				} catch (error) {
					results.push({ failure: failedImage(toFailure(error), index, answer.data.length) });
				}
			}
			return results;
		});
	},
};

async function readOrder(call: Call): Promise<ImageOrder> {
	const size = call.text('size');
	const order = {
		model: call.picked('model', 'Model'),
		prompt: call.requiredText('prompt', 'Prompt'),
		size: size === 'custom' ? call.requiredText('customSize', 'Custom Size').trim() : size,
		aspectRatio: aspectRatioOf(optionText(call, 'aspectRatio')),
		imageSize: optionText(call, 'imageSize').trim() || undefined,
		temperature: call.optionalNumber('temperature', 'Temperature', { min: 0 }),
	};
	const references = await readImages(call.context, call.itemIndex, 'referenceImages', 'Reference Images');
	return { ...order, references: references.map(addressOf) };
}

function optionText(call: Call, name: string): string {
	const value = call.options[name];
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** At most ten fields; tokens count for the whole answer, so they stand with its first image only. */
function simplified(
	{ model, prompt }: ImageOrder,
	{ created, usage, data }: ImageAnswer,
	{ url, file, facts }: ReceivedImage,
	index: number,
): IDataObject {
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
		usage: usage && index === 0 ? tokenUsage(usage) : undefined,
	};
}

/** ISO time of Unix seconds; undefined for what is no time. */
function timeOf(seconds: number | null | undefined): string | undefined {
	const time = new Date((seconds || Number.NaN) * 1000);
	return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function tokenUsage(usage: NonNullable<ImageAnswer['usage']>): IDataObject {
	return {
		inputTokens: usage.input_tokens,
		outputTokens: usage.output_tokens,
		totalTokens: usage.total_tokens,
	};
}

/** The answer as it came, with this image only and without the content of the file. */
function raw(answer: ImageAnswer, { facts }: ReceivedImage): IDataObject {
	return { ...answer, data: [facts] };
}

function failedImage(failure: GatewayFailure, index: number, images: number): GatewayFailure {
	return failure.with({ partial: { ...failure.facts.partial, image: index + 1, images } });
}
