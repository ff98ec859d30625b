import type { Readable } from 'node:stream';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

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
		const { helpers } = call.context;
		const content = base64 === undefined ? await download(helpers, url!) : Buffer.from(base64, 'base64');
		return {
			json: { url },
			binary: { data: await helpers.prepareBinaryData(content, 'image.png', 'image/png') },
		};
	},
};

const chatBody = ({ prompt: content }: BareCall) => ({
	model: 'aurora-4-mini',
	messages: [{ role: 'user', content }],
});

const imageBody = ({ prompt }: BareCall) => ({ model: 'image-2', prompt, size: '512' });

/** Posts JSON and returns the response, including error responses. */
async function post(call: BareCall, body: IDataObject) {
	return (await call.context.helpers.httpRequest({
		method: 'POST',
		url: call.url,
		headers: { authorization: `Bearer ${call.key}` },
		body,
		json: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	})) as { statusCode: number; body: IDataObject };
}

async function download(helpers: IExecuteFunctions['helpers'], url: string): Promise<Readable> {
	return (await helpers.httpRequest({ url, encoding: 'stream' })) as Readable;
}
