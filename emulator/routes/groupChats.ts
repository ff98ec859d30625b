import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { exchangeOf } from '../http/exchange';

/**
 * Simulates the group chats of other services, for workflows that send a message to them. It accepts only what the
 * public documentation describes:
 * Feishu: https://open.feishu.cn/document/server-docs/authentication-management/access-token/tenant_access_token_internal,
 * https://open.feishu.cn/document/server-docs/im-v1/file/create, https://open.feishu.cn/document/server-docs/im-v1/message/create;
 * WeCom: https://developer.work.weixin.qq.com/document/path/91770
 */
export const groupChatRoutes: FastifyPluginAsync = async (app) => {
	const feishu = '/__emulator/feishu/open-apis';
	const uploaded = new Set<string>();

	app.post(`${feishu}/auth/v3/tenant_access_token/internal`, async (request, reply) => {
		const { app_id, app_secret } = jsonOf(request);
		if (!isText(app_id) || !app_id.startsWith('cli_') || !isText(app_secret))
			return await refuse(reply, 'invalid param');
		return { code: 0, msg: 'ok', tenant_access_token: TOKEN, expire: 7200 };
	});

	app.post(`${feishu}/im/v1/files`, async (request, reply) => {
		if (request.headers.authorization !== `Bearer ${TOKEN}`)
			return await refuse(reply, 'Invalid access token');
		const problem = uploadProblem(request);
		if (problem !== undefined) return await refuse(reply, problem);
		const file_key = `file_v3_${uploaded.size + 1}`;
		uploaded.add(file_key);
		return { code: 0, msg: 'success', data: { file_key } };
	});

	app.post<{ Querystring: { receive_id_type?: string } }>(
		`${feishu}/im/v1/messages`,
		async (request, reply) => {
			if (request.headers.authorization !== `Bearer ${TOKEN}`)
				return await refuse(reply, 'Invalid access token');
			const { receive_id, msg_type, content } = jsonOf(request);
			const isGroup =
				request.query.receive_id_type === 'chat_id' && isText(receive_id) && receive_id.startsWith('oc_');
			if (!isGroup) return await refuse(reply, 'invalid receive_id');
			// The content is JSON as a string.
			const { file_key } = (isText(content) ? JSON.parse(content) : {}) as { file_key?: string };
			if (msg_type !== 'audio' || !uploaded.has(file_key ?? ''))
				return await refuse(reply, 'invalid content');
			return { code: 0, msg: 'success', data: { message_id: 'om_1', msg_type, chat_id: receive_id } };
		},
	);

	app.post<{ Querystring: { key?: string } }>(
		'/__emulator/wecom/cgi-bin/webhook/send',
		async (request, reply) => {
			const { msgtype, text } = jsonOf(request) as { msgtype?: string; text?: { content?: unknown } };
			const said = (errcode: number, errmsg: string) => reply.send({ errcode, errmsg });
			if (!request.query.key) return await said(93000, 'invalid webhook url');
			if (msgtype !== 'text' || !isText(text?.content)) return await said(40008, 'invalid message type');
			if (Buffer.byteLength(text.content) > 2048) return await said(45002, 'content exceed max length');
			return await said(0, 'ok');
		},
	);
};

const TOKEN = 't-emulator';
const OPUS_RATE = 48_000;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function jsonOf(request: FastifyRequest): Record<string, unknown> {
	try {
		return JSON.parse(String(request.body)) as Record<string, unknown>;
	} catch {
		return {};
	}
}

async function refuse(reply: FastifyReply, msg: string): Promise<FastifyReply> {
	return await reply.code(400).send({ code: 234001, msg });
}

/** Returns the reason why an upload of a voice message is refused; undefined if it is accepted. */
function uploadProblem(request: FastifyRequest): string | undefined {
	const { form } = exchangeOf(request).received;
	if (!form || form.fault !== undefined) return 'Content-Type is not multipart/form-data';
	const fields = Object.fromEntries(form.fields.map(({ name, value }) => [name, value]));
	const [file, ...others] = form.files;
	if (file?.field !== 'file' || others.length > 0) return 'file is required';
	if (file.bytes === 0 || file.bytes > 30e6) return 'file size is 0 or exceeds 30 MB';
	if (fields.file_type !== 'opus' || !fields.file_name?.includes('.'))
		return 'invalid file_type or file_name';
	const lastPage = file.start.lastIndexOf('OggS');
	if (file.start.indexOf('OpusHead') < 0 || lastPage < 0) return 'the file is not Opus';
	if (!/^\d+$/.test(fields.duration ?? '')) return 'duration is not a whole number of milliseconds';
	const milliseconds = (Number(file.start.readBigUInt64LE(lastPage + 6)) / OPUS_RATE) * 1000;
	const isWhole = file.start.length === file.bytes;
	if (isWhole && Math.abs(Number(fields.duration) - milliseconds) > 100)
		return 'duration is not that of the file';
	return undefined;
}
