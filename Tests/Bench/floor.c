/* floor ATTRIBUTE VALUE...: the least that a helper can do that reads a secret through libsecret: one encrypted exchange
 * with the daemon, by libsecret's own call for it. It prints the secret. */
#include <libsecret/secret.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	GHashTable *attributes = g_hash_table_new(g_str_hash, g_str_equal);
	for (int i = 1; i + 1 < argc; i += 2)
		g_hash_table_insert(attributes, argv[i], argv[i + 1]);
	gchar *secret = secret_password_lookupv_sync(NULL, attributes, NULL, NULL);
	if (!secret)
		return 1;
	puts(secret);
	return 0;
}
