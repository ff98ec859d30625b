import {
	ICredentialsHelper,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type IHttpRequestOptions,
	type INodeProperties,
} from 'n8n-workflow';
import { UnifiedAiGatewayApi } from '../../../credentials/UnifiedAiGatewayApi.credentials';

/** Gives every node the one credential of a test, and authenticates with the credential type's own code. */
export class TestCredentials extends ICredentialsHelper {
	private readonly type = new UnifiedAiGatewayApi();

	constructor(private readonly data: ICredentialDataDecryptedObject) {
		super();
	}

	override getParentTypes(): string[] {
		return [];
	}

	override isCredentialUsableByNode(): boolean {
		return true;
	}

	override async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return await this.type.authenticate(credentials, requestOptions);
	}

	override async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	override async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	override async getCredentials(): Promise<ICredentials> {
		throw new Error('The engine tests hold credentials decrypted only');
	}

	override async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		const defaults = Object.fromEntries(
			this.type.properties.map(({ name, default: value }) => [name, value]),
		);
		return { ...defaults, ...this.data } as ICredentialDataDecryptedObject;
	}

	override async updateCredentials(): Promise<void> {}

	override async updateCredentialsOauthTokenData(): Promise<void> {}

	override getCredentialsProperties(): INodeProperties[] {
		return this.type.properties;
	}
}
