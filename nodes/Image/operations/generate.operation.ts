import { joined } from '../../shared/plain/inWords';
import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { OUTPUT_FILE, SIMPLIFY } from '../../shared/fields/options';
import { toFailure } from '../../shared/failure/failure';
import { withRequestId } from '../../shared/answer/answerReaders';
import type { ItemOperation, OperationFailure, OperationResult } from '../../shared/run/operation';
import { DAMAGED_TEXT } from '../../shared/answer/filesInJson';
import { USAGE_FIELDS } from '../../shared/answer/usage';
import { OptionalFields } from '../../shared/answer/optionalFields';
import { wholeAddress } from '../../shared/send/download';
import { generate, type ImageOrder, imageUsage, requestBody } from '../generate';
import { filterWarning, type ImageAnswer, type ImageObject } from '../readImages';
import { ImageFiles } from '../imageFiles';
import { DOWNLOAD_IMAGES, FILE_NAME, generateFields, readOrder, sizeWarning } from './generate.fields';

/** Generates images from a prompt (interface, 4.4). */
export const generateImage: ItemOperation = {
	value: 'generate',
	name: 'Generate Image',
	action: 'Generate image',
	description: 'Generate an image from a prompt, with or without reference images',
	fields: generateFields,
	answerFields: [
		...['mimeType', 'width', 'height', 'bytes', 'created', 'problem', 'revisedPrompt', 'url'],
		...USAGE_FIELDS,
	],
	async run(call) {
		const order = await readOrder(call);
		const sent = requestBody(order, call.extraBodyFields);
		const field = call.requiredText(OUTPUT_FILE);
		const downloads = call.flag(DOWNLOAD_IMAGES);
		const simplify = call.flag(SIMPLIFY);
		const { base } = call.client.addresses;
		const store = new ImageFiles(call, { prompt: order.prompt, fileName: call.options.text(FILE_NAME) });

		const generated = await generate(call, sent, store);
		const { images, files, damaged, leftOut, paid } = generated;
		const optional = new OptionalFields();
		optional.leftOut.push(...leftOut);
		const results: Array<OperationResult | OperationFailure> = [];
		for (const [index, image] of images.entries()) {
			try {
				const file = image.key === undefined ? await store.fileOf(image, downloads) : files[image.key];
				const isDamaged = image.key !== undefined && damaged.includes(image.key);
				const damage = isDamaged ? `The image ${DAMAGED_TEXT}` : undefined;
				const problems = [damage, filterWarning(generated, index), sizeWarning(sent, file)];
				const problem = joined(problems, '. ') || undefined;
				call.warn(problem);
				const hasTokens = !results.some((result) => 'json' in result);
				results.push({
					json: simplify
						? simplified(order, generated, index, file, { hasTokens, optional, problem, base })
						: raw(generated, image, hasTokens),
					files: file ? { [field]: store.named(file, index) } : {},
				});
			} catch (error) {
				const failure = withRequestId(toFailure(error), { headers: paid.headers ?? {} });
				if (failure.kind === 'answer') await paid.noteUnusable(failure);
				const { partial } = failure.facts;
				const place = { image: index + 1, images: images.length };
				results.push({ failure: failure.with({ partial: { ...partial, ...place } }) });
			}
		}
		call.hint(optional.hint);
		return results;
	},
};

/** Returns the item of one image. Only the first one `hasTokens`, because they are those of the whole response. */
function simplified(
	{ model, prompt }: ImageOrder,
	answer: ImageAnswer & { cost?: number },
	index: number,
	file: IBinaryData | undefined,
	more: { hasTokens: boolean; optional: OptionalFields; problem?: string; base: string },
): IDataObject {
	const { hasTokens, optional, problem, base } = more;
	const { images, others } = answer;
	const { url, facts } = images[index];
	return {
		prompt,
		model,
		mimeType: file?.mimeType,
		width: file?.width,
		height: file?.height,
		bytes: file?.bytes,
		image: index + 1,
		images: images.length,
		created: optional.time(others.created, 'created'),
		...(hasTokens ? imageUsage(answer, optional) : {}),
		// Long values come last, so that the rest of a table can be read.
		problem,
		revisedPrompt: optional.text(facts.revised_prompt, 'revised_prompt'),
		url: url === undefined || URL.canParse(url) ? url : wholeAddress(url, base),
	};
}

/** Returns the gateway's response with only this image, and without the content of its file. */
function raw({ others }: ImageAnswer, { facts }: ImageObject, hasTokens: boolean): IDataObject {
	// Entries without an image, if their list is called `data`.
	const unread = Array.isArray(others.data) ? (others.data as IDataObject[]) : [];
	return {
		...others,
		usage: hasTokens ? (others.usage as IDataObject) : undefined,
		data: [facts, ...unread],
	};
}
