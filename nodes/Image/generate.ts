import type { IBinaryData } from 'n8n-workflow';
import { z } from 'zod';
import { answerFailure } from '../shared/errors/errorMessages';
import { toFailure } from '../shared/errors/gatewayFailure';
import { endpoints } from '../shared/gateway/endpoints';
import { streamFrom } from '../shared/http/byteStream';
import { checkAnswer, keptAnswer, listOf, looseCount, looseText } from '../shared/http/schemas';
import type { EmbeddedFile } from '../shared/http/requestBody';
import type { Call } from '../shared/runtime/call';
import { type Paid, usable } from '../shared/runtime/payments';
import { asRecord } from '../shared/values';
import { fileOfText, readJsonWithFiles } from './filesInJson';
import { explainImageFailure, isFinalImageFailure } from './imageFailure';
import type { ImageFiles } from './imageFiles';

/** The content of a request for images (interface, 4.4). Entries that are undefined are not sent. */
export interface ImageOrder {
	model: string;
	prompt: string;
	size: string;
	/** This and the following entries are fields of `extra_fields`. */
	aspectRatio: string | undefined;
	imageSize: string | undefined;
	temperature: number | undefined;
	/** Web addresses and data URIs, in order. */
	references: Array<string | EmbeddedFile>;
}

/**
 * The body of a request for images (interface, 4.4), with `extra_fields` only if it has content.
 *
 * @param extra the user's own fields. They override those of the order; their `extra_fields` are merged.
 */
export function requestBody(order: ImageOrder, extra: Record<string, unknown> = {}): Record<string, unknown> {
	const { model, prompt, size, aspectRatio, imageSize, temperature, references } = order;
	const extraFields = {
		...(aspectRatio === undefined ? {} : { aspect_ratio: aspectRatio }),
		...(imageSize === undefined ? {} : { image_size: imageSize }),
		...(temperature === undefined ? {} : { temperature }),
		...(references.length === 0 ? {} : { reference_images: references }),
		...asRecord(extra.extra_fields),
	};
	return {
		model,
		prompt,
		size,
		...extra,
		...(Object.keys(extraFields).length === 0 ? {} : { extra_fields: extraFields }),
	};
}

/** Maximum number of images of one response. */
const MAX_IMAGES = 1000;

/** Response with images (interface, 2.6). Fields beyond the interface are kept. */
const imageAnswerSchema = z
	.object({
		created: z.number().nullish(),
		data: listOf(
			z.object({ url: looseText, b64_json: looseText, revised_prompt: looseText }).passthrough(),
			MAX_IMAGES,
		),
		usage: z
			.object({ input_tokens: looseCount, output_tokens: looseCount, total_tokens: looseCount })
			.passthrough()
			.nullish(),
	})
	.passthrough();

export type ImageAnswer = z.infer<typeof imageAnswerSchema>;

/** One image of a response. */
type ImageObject = ImageAnswer['data'][number];

/** The gateway's response to one order. */
interface GeneratedImages {
	/** Each image that was in the response itself is replaced by a key of `files`. */
	answer: ImageAnswer;
	/** The images that were in the response itself. */
	files: Record<string, IBinaryData>;
	/** Makes n8n's Retry generate the images again. */
	useless: Paid<unknown>['useless'];
}

/**
 * Generates images (interface, 4.4). Images in the response itself are stored while it arrives.
 *
 * @throws GatewayFailure when there is no image
 */
export async function generate(call: Call, order: ImageOrder, store: ImageFiles): Promise<GeneratedImages> {
	try {
		const paid = await call.pay(
			{
				...call.requestOptions,
				endpoint: endpoints.images,
				json: requestBody(order, call.extraBodyFields),
				isFinal: isFinalImageFailure,
			},
			async (answer) => {
				let count = 0;
				return await readJsonWithFiles(
					answer,
					async ({ bytes, mimeType }) => await store.store(streamFrom(bytes), mimeType, count++),
				);
			},
			{ filesOf: ({ files }) => Object.values(files) },
		);
		const { value, useless } = paid;
		return { answer: await usable(paid, ({ body }) => readAnswer(body)), files: value.files, useless };
	} catch (error) {
		throw explainImageFailure(toFailure(error));
	}
}

/** One image of a response, after download. */
export interface ReceivedImage {
	/** Undefined when only the address is wanted. */
	file: IBinaryData | undefined;
	/** Undefined for an image that was in the response itself. */
	url: string | undefined;
	/** The image object without the content of the image. */
	facts: Record<string, unknown>;
}

/**
 * Gets the file of one image of a response.
 *
 * @param files the images that were in the response itself
 * @param downloads whether to download an image that has an address
 * @throws GatewayFailure when there is no image, or when it cannot be downloaded (then with the address in its details)
 */
export async function receive(
	store: ImageFiles,
	files: GeneratedImages['files'],
	image: ImageObject,
	index: number,
	downloads: boolean,
): Promise<ReceivedImage> {
	const stored = Object.values(image).find((value) => isKeyOf(files, value));
	const url = /^(data:|$)/i.test(image.url) || image.url === stored ? undefined : image.url;
	const facts = factsOf(image, files, url);
	if (stored !== undefined) return { file: files[stored], url, facts };
	const short = fileOfText(image.b64_json) ?? (url === undefined ? fileOfText(image.url) : undefined);
	if (short) return { file: await store.store(short.bytes, short.mimeType, index), url, facts };
	if (url === undefined) {
		throw answerFailure('it contains neither the address nor the content of an image', keptAnswer(image));
	}
	return { file: downloads ? await store.download(url, index) : undefined, url, facts };
}

/** Whether a value of the answer, of any kind, is the key of a file. */
function isKeyOf(files: GeneratedImages['files'], value: unknown): value is string {
	return typeof value === 'string' && Object.hasOwn(files, value);
}

function factsOf(image: ImageObject, files: GeneratedImages['files'], url: string | undefined) {
	const isContent = ([name, value]: [string, unknown]) =>
		value === '' || isKeyOf(files, value) || name === 'b64_json' || (name === 'url' && url === undefined);
	return Object.fromEntries(Object.entries(image).filter((field) => !isContent(field)));
}

function readAnswer(body: unknown): ImageAnswer {
	try {
		const answer = checkAnswer(imageAnswerSchema, body);
		return answer.data.length > 0 ? answer : noImage();
	} catch (error) {
		throw toFailure(error).with(keptAnswer(body));
	}
}

function noImage(): never {
	throw answerFailure('it contains no image');
}
