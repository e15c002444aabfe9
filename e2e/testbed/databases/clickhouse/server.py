"""ClickHouse for tests: the engine itself, behind a small front that speaks the protocol of its mysql_port.

Real: everything that answers a statement is ClickHouse, as the library chDB (package chdb-core) carries it: SQL, MergeTree tables in
a folder, system tables, query_log, KILL QUERY, error codes and words, and the packets of every result set (its own format MySQLWire).

A stand-in: the front below, which does what ClickHouse's server does on that port: greeting, login with mysql_native_password (`hashed`: with
sha256_password, as for accounts whose password is kept so), TLS, the commands query, ping, init-db and quit, packets OK and ERR. It differs where
a library can do no other: accounts are checked here (`reader` is the same account under `SET readonly = 1`), query ids are UUIDs instead of `mysql:CONNECTION:UUID`, the interface of a client is `Local`,
several statements in one text are executed, system.asynchronous_metrics does not exist, and mysql_port is a number that the front puts in
place of the question, as the library listens on no port.
"""

import argparse
import hashlib
import json
import os
import re
import socket
import ssl
import struct
import subprocess
import sys
import threading

# Capabilities as ClickHouse offers them, without CLIENT_DEPRECATE_EOF: the library writes result sets in the older form.
CONNECT_WITH_DB, PROTOCOL_41, SSL, SECURE, PLUGIN_AUTH, LENENC = 1 << 3, 1 << 9, 1 << 11, 1 << 15, 1 << 19, 1 << 21
OFFERED = CONNECT_WITH_DB | PROTOCOL_41 | SECURE | PLUGIN_AUTH | LENENC
SSL_REQUEST_LENGTH = 32
UTF8 = 255
NOT_IMPLEMENTED, AUTHENTICATION_FAILED, UNKNOWN = 48, 516, 1002
READER, HASHED = "reader", "hashed"


class Closed(Exception):
    """The client is gone, or said what the real server answers by closing the connection."""


def sha1(data):
    return hashlib.sha1(data).digest()


def xored(data, mask):
    return bytes(byte ^ mask[at % len(mask)] for at, byte in enumerate(data))


def openssl(*argv, input=None):
    return subprocess.run(["openssl", *argv], input=input, capture_output=True, check=True).stdout


class Packets:
    """MySQL packets over a socket: three bytes of length, one of sequence."""

    def __init__(self, stream):
        self.stream = stream
        self.sequence = 0

    def _exactly(self, length):
        data = b""
        while len(data) < length:
            more = self.stream.recv(length - len(data))
            if not more:
                raise Closed()
            data += more
        return data

    def read(self):
        header = self._exactly(4)
        self.sequence = (header[3] + 1) & 0xFF
        return self._exactly(int.from_bytes(header[:3], "little"))

    def send(self, payload):
        self.relay(len(payload).to_bytes(3, "little") + b"\0" + payload)

    def relay(self, packets):
        """Whole packets of the engine, with the numbers of this exchange."""
        numbered, at = bytearray(packets), 0
        while at < len(numbered):
            length = int.from_bytes(numbered[at : at + 3], "little")
            numbered[at + 3] = self.sequence
            self.sequence = (self.sequence + 1) & 0xFF
            at += 4 + length
        self.stream.sendall(numbered)

    def ok(self, affected=0):
        self.send(b"\0" + length_encoded(affected) + b"\0" + struct.pack("<HH", 0, 0))

    def error(self, code, words):
        self.send(b"\xff" + struct.pack("<H", code) + b"#HY000" + words.encode())


def length_encoded(number):
    if number < 251:
        return bytes([number])
    for mark, size in ((b"\xfc", 2), (b"\xfd", 3)):
        if number < 1 << (8 * size):
            return mark + number.to_bytes(size, "little")
    return b"\xfe" + number.to_bytes(8, "little")


def text_until_nul(payload, at):
    end = payload.index(0, at)
    return payload[at:end].decode(), end + 1


def login_of(payload):
    """User, answer to the scramble, and database of a handshake response. Like ClickHouse it knows no connection attributes."""
    flags = int.from_bytes(payload[:4], "little")
    user, at = text_until_nul(payload, 32)
    length = payload[at]
    answer, at = payload[at + 1 : at + 1 + length], at + 1 + length
    database = ""
    if flags & CONNECT_WITH_DB:
        database, at = text_until_nul(payload, at)
    if flags & PLUGIN_AUTH:
        _, at = text_until_nul(payload, at)
    if at != len(payload):
        raise Closed("Packet payload is not fully read.")
    return user, answer, database


def code_of(error):
    found = re.match(r"Code: (\d+)", str(error))
    return int(found.group(1)) if found else UNKNOWN


class Server:
    def __init__(self, options, connect):
        self.options = options
        self.connect = connect
        self.connections = 0
        with_version = connect().query("SELECT version()", "TabSeparatedRaw")
        self.version = f"{str(with_version).strip()}-ClickHouse"
        self.tls = None
        if options.certificate:
            self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.tls.load_cert_chain(options.certificate, options.key)

    def serve(self):
        listener = socket.create_server((self.options.address, self.options.port))
        while True:
            stream, _ = listener.accept()
            self.connections += 1
            threading.Thread(target=self.attend, args=(stream, self.connections), daemon=True).start()

    def attend(self, stream, number):
        packets = Packets(stream)
        try:
            user, database = self.admit(packets, number)
            engine = self.connect()
            try:
                if not self.enter(packets, engine, user, database):
                    return
                while self.obey(packets, engine):
                    pass
            finally:
                engine.close()
        except (Closed, OSError):
            pass
        finally:
            packets.stream.close()

    def admit(self, packets, number):
        scramble = bytes(33 + byte % 90 for byte in os.urandom(20))
        flags = OFFERED | (SSL if self.tls else 0)
        packets.send(
            b"\x0a" + self.version.encode() + b"\0" + struct.pack("<I", number) + scramble[:8] + b"\0"
            + struct.pack("<HBHH", flags & 0xFFFF, UTF8, 2, flags >> 16) + bytes([21]) + bytes(10)
            + scramble[8:] + b"\0" + b"mysql_native_password\0"
        )
        payload = packets.read()
        if len(payload) == SSL_REQUEST_LENGTH and self.tls:
            packets.stream = self.tls.wrap_socket(packets.stream, server_side=True)
            payload = packets.read()
        user, answer, database = login_of(payload)
        wanted = self.options.password.encode()
        if user == HASHED:
            admitted = self.hashed(packets, scramble) == wanted
        else:
            mine = xored(sha1(wanted), sha1(scramble + sha1(sha1(wanted))))
            admitted = user in (self.options.user, READER) and answer == mine
        if not admitted:
            words = f"{user}: Authentication failed: password is incorrect, or there is no user with such name."
            packets.error(AUTHENTICATION_FAILED, words)
            raise Closed()
        return user, database

    def hashed(self, packets, scramble):
        """The password itself, over TLS as it is, else encrypted for the server's key."""
        packets.send(b"\xfesha256_password\0" + scramble + b"\0")
        answer = packets.read()
        if not isinstance(packets.stream, ssl.SSLSocket):
            key = os.path.join(os.path.dirname(self.options.config), "login-key.pem")
            openssl("genrsa", "-out", key, "2048")
            packets.send(b"\1" + openssl("rsa", "-in", key, "-pubout"))
            padding = ("-pkeyopt", "rsa_padding_mode:oaep")
            answer = xored(openssl("pkeyutl", "-decrypt", "-inkey", key, *padding, input=packets.read()), scramble)
        return answer.rstrip(b"\0")

    def enter(self, packets, engine, user, database):
        """The account's settings and the database; without it ClickHouse answers ERR, and an OK after it."""
        settings = dict(self.options.settings, **({"readonly": 1} if user == READER else {}))
        try:
            if database:
                engine.query(f"USE `{database}`")
        except Exception as error:
            packets.error(code_of(error), str(error))
            return False
        for name, value in settings.items():
            engine.query(f"SET {name} = {value!r}")
        packets.ok()
        return True

    def obey(self, packets, engine):
        payload = packets.read()
        command, rest = payload[0], payload[1:].decode()
        if command == 0x01:
            return False
        if command == 0x0E:
            packets.ok()
        elif command in (0x02, 0x03):
            self.execute(packets, engine, rest if command == 0x03 else f"USE `{rest}`")
        else:
            packets.error(NOT_IMPLEMENTED, f"Command {command} is not implemented.")
        return True

    def execute(self, packets, engine, statement):
        statement = statement.replace("getServerPort('mysql_port')", str(self.options.port))
        try:
            result = engine.query(statement, "MySQLWire")
            answer, written = result.bytes(), result.rows_written()
        except Exception as error:
            packets.error(code_of(error), str(error))
            return
        if answer:
            packets.relay(answer)
        else:
            packets.ok(written)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("library", "data", "config", "address", "user", "password", "database"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--certificate")
    parser.add_argument("--key")
    parser.add_argument("--settings", type=json.loads, default={})
    options = parser.parse_args()
    sys.path.insert(0, options.library)
    import chdb

    connect = lambda: chdb.connect(f"{options.data}?config-file={options.config}")
    # The engine lives as long as one of its connections.
    keeper = connect()
    keeper.query(f"CREATE DATABASE IF NOT EXISTS `{options.database}`")
    Server(options, connect).serve()


main()
