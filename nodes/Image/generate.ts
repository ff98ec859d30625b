import type { IBinaryData } from 'n8n-workflow';
import { answerFailure } from '../shared/errors/errorMessages';
import { streamFrom } from '../shared/http/byteStream';
import { checkAnswer } from '../shared/http/checkAnswer';
import { endpoints } from '../shared/gateway/endpoints';
import { toFailure } from '../shared/errors/gatewayFailure';
import { fileOfText, readJsonWithFiles } from './filesInJson';
import type { Call } from '../shared/runtime/call';
import { imageAnswerSchema, type ImageAnswer, type ImageObject } from './imageSchema';
import { explainImageFailure, isFinalImageFailure } from './imageFailure';
import type { ImageFiles } from './imageFiles';
import { requestBody, type ImageOrder } from './request';

/** Most characters of an unexpected answer that a failure keeps. */
const MAX_KEPT_ANSWER = 10_000;

/** What the gateway made of one order. */
export interface GeneratedImages {
	/** The answer without the images that stood in it. */
	answer: ImageAnswer;
	/** The stored images of the answer, by what stands in their place. */
	files: Map<string, IBinaryData>;
}

/**
 * Has images made (interface, 4.4). Those that the answer holds itself are stored while it arrives.
 *
 * @throws GatewayFailure when there is no image
 */
export async function generate(call: Call, order: ImageOrder, store: ImageFiles): Promise<GeneratedImages> {
	try {
		const { body, files } = await call.client.send(
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
		);
		return { answer: readAnswer(body), files };
	} catch (error) {
		throw explainImageFailure(toFailure(error));
	}
}

/** The file of an image, where one can be had, and the image's own address. */
export interface ReceivedImage {
	file: IBinaryData | undefined;
	/** Undefined for an image that stood in the answer itself. */
	url: string | undefined;
	/** The image object without the content of the image. */
	facts: Record<string, unknown>;
}

/**
 * Fetches one image of an answer.
 *
 * @param wantsDownload whether an image that has an address is fetched from there
 * @throws GatewayFailure when it cannot be fetched (its address is in the details), or there is none
 */
export async function receive(
	store: ImageFiles,
	files: Map<string, IBinaryData>,
	image: ImageObject,
	index: number,
	wantsDownload: boolean,
): Promise<ReceivedImage> {
	const stored = Object.values(image).find((value) => files.has(value as string)) as string | undefined;
	const url = /^(data:|$)/i.test(image.url) || image.url === stored ? undefined : image.url;
	const facts = factsOf(image, files, url);
	if (stored !== undefined) return { file: files.get(stored), url, facts };
	const short = fileOfText(image.b64_json) ?? (url === undefined ? fileOfText(image.url) : undefined);
	if (short) return { file: await store.store(short.bytes, short.mimeType, index), url, facts };
	if (url === undefined) throw answerFailure('it holds neither an address nor the content of an image');
	return { file: wantsDownload ? await store.download(url, index) : undefined, url, facts };
}

function factsOf(image: ImageObject, files: Map<string, IBinaryData>, url: string | undefined) {
	const isContent = ([name, value]: [string, unknown]) =>
		value === '' ||
		files.has(value as string) ||
		name === 'b64_json' ||
		(name === 'url' && url === undefined);
	return Object.fromEntries(Object.entries(image).filter((field) => !isContent(field)));
}

function readAnswer(body: unknown): ImageAnswer {
	try {
		const answer = checkAnswer(imageAnswerSchema, body);
		return answer.data.length > 0 ? answer : noImage();
	} catch (error) {
		const kept = JSON.stringify(body).slice(0, MAX_KEPT_ANSWER);
		throw toFailure(error).with({ partial: { answer: kept } });
	}
}

function noImage(): never {
	throw answerFailure('it holds no image');
}
