import { generateKeyPairSync, sign } from 'node:crypto';

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const EXPLICIT_0 = 0xa0;

/** The object identifiers ecdsa-with-SHA256 and commonName, as encoded in a certificate. */
const ECDSA_SHA256 = Buffer.from('2a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('550403', 'hex');

/** A key and a self-signed certificate, generated so that no key has to be kept in a file. */
export function selfSigned(name: string): { key: string; cert: string } {
	const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const algorithm = der(SEQUENCE, der(OBJECT_ID, ECDSA_SHA256));
	const subject = der(
		SEQUENCE,
		der(SET, der(SEQUENCE, der(OBJECT_ID, COMMON_NAME), der(UTF8_STRING, Buffer.from(name)))),
	);
	const time = (text: string) => der(UTC_TIME, Buffer.from(text));
	const content = der(
		SEQUENCE,
		der(EXPLICIT_0, der(INTEGER, Buffer.from([2]))),
		der(INTEGER, Buffer.from([1])),
		algorithm,
		subject,
		der(SEQUENCE, time('200101000000Z'), time('491231235959Z')),
		subject,
		publicKey.export({ type: 'spki', format: 'der' }),
	);
	const signature = sign('sha256', content, privateKey);
	const bits = der(BIT_STRING, Buffer.concat([Buffer.from([0]), signature]));
	const body = der(SEQUENCE, content, algorithm, bits).toString('base64');
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
		cert: `-----BEGIN CERTIFICATE-----\n${body.replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`,
	};
}

/** One element of DER: tag, length, contents. */
function der(tag: number, ...contents: Buffer[]): Buffer {
	const body = Buffer.concat(contents);
	const length =
		body.length < 0x80
			? [body.length]
			: body.length < 0x100
				? [0x81, body.length]
				: [0x82, body.length >> 8, body.length & 0xff];
	return Buffer.concat([Buffer.from([tag, ...length]), body]);
}
