import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, IExecuteFunctions, IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';

/** The input of a bare job for one item. */
export interface BareCall {
	context: IExecuteFunctions;
	/** The address of the endpoint. */
	url: string;
	key: string;
	prompt: string;
	item: number;
}

type Job = (call: BareCall) => Promise<INodeExecutionData>;

/** How often a song's status is requested, in ms. */
const POLL_INTERVAL_MS = 5000;

/** The jobs of the bare loop: a few lines that use only n8n's helpers. */
export const jobs: Record<string, Job> = {
	chat: async (call) => {
		const { statusCode, body } = await post(call, chatBody(call));
		return { json: statusCode === 200 ? body : { error: `status ${statusCode}` } };
	},

	/** Also waits for the time in `Retry-After`. */
	patientChat: async (call) => {
		for (;;) {
			const { statusCode, headers, body } = await post(call, chatBody(call));
			if (statusCode === 200) return { json: body };
			if (statusCode !== 429) return { json: { error: `status ${statusCode}` } };
			await sleep(Number(headers['retry-after'] ?? 1) * 1000);
		}
	},

	imageAddress: async (call) => ({ json: (await post(call, imageBody(call))).body }),

	imageFile: async (call) => {
		const { body } = await post(call, imageBody(call));
		const [{ url, b64_json: base64 }] = body.data as Array<{ url?: string; b64_json?: string }>;
		const content = base64 === undefined ? await stream(call, { url: url! }) : Buffer.from(base64, 'base64');
		return { json: { url }, binary: { data: await store(call, content, 'image.png', 'image/png') } };
	},

	speech: async (call) => {
		const content = await stream(call, speechRequest(call));
		return { json: {}, binary: { data: await store(call, content, 'speech.wav', 'audio/wav') } };
	},

	/** Buffers the whole response, like most examples. */
	bufferedSpeech: async (call) => {
		const request = { ...speechRequest(call), encoding: 'arraybuffer' } as const;
		const content = (await call.context.helpers.httpRequest(request)) as Buffer;
		return { json: {}, binary: { data: await store(call, content, 'speech.wav', 'audio/wav') } };
	},

	/** Uploads the file in the binary field that the prompt names, unchanged. */
	upload: async ({ context, url, key, prompt, item }) => {
		const { id = '' } = context.helpers.assertBinaryData(item, prompt);
		const response = (await context.helpers.httpRequest({
			method: 'POST',
			url,
			headers: { ...authorization({ key }), 'content-type': 'audio/wav' },
			body: await context.helpers.getBinaryStream(id),
			// Following a redirect would require buffering the whole body.
			disableFollowRedirect: true,
		})) as IDataObject;
		return { json: response };
	},

	embedding: async (call) => {
		const body = { model: 'embedding-3-small', input: call.prompt };
		return { json: (await post(call, body)).body };
	},

	music: async (call) => {
		const { context, url, prompt } = call;
		const { body } = await post(call, { model: 'music-v5', prompt, instrumental: true });
		const { task_id: id } = body.data as { task_id: string };
		for (;;) {
			await sleep(POLL_INTERVAL_MS);
			const task = (await context.helpers.httpRequest({
				url: new URL(`/v1/music/tasks/${id}`, url).href,
				headers: authorization(call),
			})) as { data: { status: string } };
			if (task.data.status === 'SUCCESS') return { json: task };
		}
	},
};

const chatBody = ({ prompt: content }: BareCall) => ({
	model: 'aurora-4-mini',
	messages: [{ role: 'user', content }],
});

const imageBody = ({ prompt }: BareCall) => ({ model: 'image-2', prompt, size: '512' });

const speechRequest = (call: BareCall): IHttpRequestOptions => ({
	method: 'POST',
	url: call.url,
	headers: authorization(call),
	body: { model: 'svc-tts', input: call.prompt, voice: 'Anders', response_format: 'wav' },
});

const authorization = ({ key }: Pick<BareCall, 'key'>) => ({ authorization: `Bearer ${key}` });

/** Posts JSON and returns the response, including error responses. */
async function post(call: BareCall, body: IDataObject) {
	return (await call.context.helpers.httpRequest({
		method: 'POST',
		url: call.url,
		headers: authorization(call),
		body,
		json: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	})) as { statusCode: number; headers: Record<string, string>; body: IDataObject };
}

async function stream({ context }: BareCall, request: IHttpRequestOptions): Promise<Readable> {
	return (await context.helpers.httpRequest({ ...request, encoding: 'stream' })) as Readable;
}

async function store({ context }: BareCall, content: Readable | Buffer, fileName: string, mimeType: string) {
	return await context.helpers.prepareBinaryData(content, fileName, mimeType);
}
