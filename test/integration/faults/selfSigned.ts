import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const EXPLICIT_0 = 0xa0;
const EXPLICIT_3 = 0xa3;
const BOOLEAN = 0x01;
const OCTET_STRING = 0x04;

/** The object identifiers ecdsa-with-SHA256 and commonName, in the encoding of a certificate. */
const ECDSA_SHA256 = Buffer.from('2a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('550403', 'hex');
/** The extension basicConstraints for an authority. */
const IS_AUTHORITY = der(
	SEQUENCE,
	der(OBJECT_ID, Buffer.from('551d13', 'hex')),
	der(BOOLEAN, Buffer.from([0xff])),
	der(OCTET_STRING, der(SEQUENCE, der(BOOLEAN, Buffer.from([0xff])))),
);

/** A private key and the certificate that belongs to it. */
export interface Identity {
	key: string;
	cert: string;
}

/** Generates a key and a self-signed certificate, so that no key has to be kept in a file. */
export function selfSigned(name: string): Identity {
	const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	return { key: pemOf(privateKey), cert: certificate(name, publicKey, { name, key: privateKey }) };
}

/** Generates a private authority, and a server with this host name whose certificate the authority has signed. */
export function privateAuthority(host: string): { authority: string; server: Identity } {
	const name = 'Private authority';
	const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const issuer = { name, key: own.privateKey };
	return {
		authority: certificate(name, own.publicKey, issuer, der(EXPLICIT_3, der(SEQUENCE, IS_AUTHORITY))),
		server: { key: pemOf(privateKey), cert: certificate(host, publicKey, issuer) },
	};
}

function certificate(
	name: string,
	publicKey: KeyObject,
	issuer: { name: string; key: KeyObject },
	...extensions: Buffer[]
): string {
	const algorithm = der(SEQUENCE, der(OBJECT_ID, ECDSA_SHA256));
	const time = (text: string) => der(UTC_TIME, Buffer.from(text));
	const content = der(
		SEQUENCE,
		der(EXPLICIT_0, der(INTEGER, Buffer.from([2]))),
		der(INTEGER, Buffer.from([name === issuer.name ? 1 : 2])),
		algorithm,
		commonName(issuer.name),
		der(SEQUENCE, time('200101000000Z'), time('491231235959Z')),
		commonName(name),
		publicKey.export({ type: 'spki', format: 'der' }),
		...extensions,
	);
	const signature = sign('sha256', content, issuer.key);
	const bits = der(BIT_STRING, Buffer.concat([Buffer.from([0]), signature]));
	const body = der(SEQUENCE, content, algorithm, bits).toString('base64');
	// A blank line would end the certificate.
	const lines = body.match(/.{1,64}/g)?.join('\n');
	return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function commonName(name: string): Buffer {
	return der(
		SEQUENCE,
		der(SET, der(SEQUENCE, der(OBJECT_ID, COMMON_NAME), der(UTF8_STRING, Buffer.from(name)))),
	);
}

function pemOf(key: KeyObject): string {
	return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Encodes one element of DER: tag, length, contents. */
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
