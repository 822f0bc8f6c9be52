// libsecret for Swift.
#pragma once
#define SECRET_API_SUBJECT_TO_CHANGE
#include "../CGLib/shim.h"
#include <libsecret/secret.h>

/// What the next MojoauthSecretService is for: libsecret's constructor takes neither.
struct mojoauth_secret_service_place {
    GDBusConnection *connection;
    const char *owner;
};

static inline struct mojoauth_secret_service_place *mojoauth_secret_service_place(void) {
    static struct mojoauth_secret_service_place place;
    return &place;
}

/// libsecret sets a proxy for the well-known name on a connection of its own, with properties, signals and match rules,
/// which starts the service; what is set last holds.
static inline GObject *mojoauth_secret_service_construct(GType type, guint count, GObjectConstructParam *parameters) {
    GObjectClass *base = g_type_class_peek(SECRET_TYPE_SERVICE);
    const struct mojoauth_secret_service_place *place = mojoauth_secret_service_place();
    GObject *service = base->constructor(type, count, parameters);
    g_object_set(
        service, "g-bus-type", G_BUS_TYPE_NONE, "g-connection", place->connection, "g-name", place->owner,
        "g-flags",
        G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES | G_DBUS_PROXY_FLAGS_DO_NOT_CONNECT_SIGNALS
            | G_DBUS_PROXY_FLAGS_NO_MATCH_RULE | G_DBUS_PROXY_FLAGS_DO_NOT_AUTO_START,
        NULL);
    return service;
}

static inline void mojoauth_secret_service_class_init(gpointer class, gpointer data) {
    (void)data;
    G_OBJECT_CLASS(class)->constructor = mojoauth_secret_service_construct;
}

/// Opens a session of one owner of the service's name on the bus, or of whoever has that name, without questions about
/// the service's properties. Ends with secret_service_open_finish.
static inline void mojoauth_secret_service_open(
    GDBusConnection *connection, const char *owner, GCancellable *cancellable, GAsyncReadyCallback callback,
    gpointer data) {
    static GType type;
    if (!type)
        type = g_type_register_static_simple(
            SECRET_TYPE_SERVICE, "MojoauthSecretService", sizeof(SecretServiceClass), mojoauth_secret_service_class_init,
            sizeof(SecretService), NULL, 0);
    mojoauth_secret_service_place()->connection = connection;
    mojoauth_secret_service_place()->owner = owner;
    secret_service_open(type, NULL, SECRET_SERVICE_OPEN_SESSION, cancellable, callback, data);
}
