import type { Readable } from 'node:stream';
import type { IDataObject, IExecuteFunctions, IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';

/** The input of a bare job for one item. */
export interface BareCall {
	context: IExecuteFunctions;
	/** The address of the endpoint. */
	url: string;
	key: string;
	prompt: string;
}

type Job = (call: BareCall) => Promise<INodeExecutionData>;

/** The jobs of the bare loop: a few lines that use only n8n's helpers. */
export const jobs: Record<string, Job> = {
	chat: async (call) => {
		const { statusCode, body } = await post(call, chatBody(call));
		return { json: statusCode === 200 ? body : { error: `status ${statusCode}` } };
	},

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
