#if os(Linux)
  import Foundation

  /// A server and two machines, each with a network of its own, and a router between them.
  ///
  /// They are network namespaces (`unshare`, `ip netns`), which no other process sees and which end
  /// with this object. The router can lose all packets of a machine: neither end is told, as where a
  /// cable is pulled out somewhere on the way.
  package final class MachineNetwork: Sendable {
    /// A machine; the number is that of its subnet.
    package enum Machine: Int, Sendable, CaseIterable {
      case server = 1
      case office, home

      /// Its address.
      package var address: String { "10.77.\(rawValue).2" }
    }

    struct NoNetwork: Error, CustomStringConvertible {
      let output: String
      var description: String {
        """
        No namespaces of networks can be made here, which this test needs: \(output)
        Run it as root, in a container with CAP_SYS_ADMIN and CAP_NET_ADMIN, or let users make namespaces \
        (sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0). \
        unshare, nsenter and ip are in the packages util-linux and iproute2.
        """
      }
    }

    /// Whether the programs for it are installed; true if `$CI` is set, so that no test is skipped
    /// there.
    package static let isHere =
      ProcessInfo.processInfo.environment["CI"] != nil
      || ["/usr/sbin/ip", "/usr/bin/nsenter", "/usr/bin/unshare"]
        .allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    private let holder: Int
    /// The namespaces end when this pipe is closed, also by the end of this process.
    private let leash: Pipe
    private static let isRoot = getuid() == 0

    /// Makes the networks.
    package init() throws {
      // The names of namespaces are files in /run, of which this process has one of its own.
      let script = """
        export PATH=/usr/sbin:/usr/bin:/sbin:/bin
        exec 2>&1
        mount -t tmpfs none /run && mkdir /run/netns && ip link set lo up || exit
        echo 1 >/proc/sys/net/ipv4/ip_forward || exit
        for machine in \(Machine.allCases.map { "\($0):\($0.rawValue)" }.joined(separator: " ")); do
          name=${machine%:*} net=10.77.${machine#*:}
          ip netns add $name && ip -n $name link set lo up &&
          ip link add $name type veth peer name eth0 netns $name &&
          ip addr add $net.1/24 dev $name && ip link set $name up &&
          ip -n $name addr add $net.2/24 dev eth0 && ip -n $name link set eth0 up &&
          ip -n $name route add default via $net.1 || exit
        done
        echo ready $$
        exec cat
        """
      let process = Process()
      let (input, output) = (Pipe(), Pipe())
      process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
      process.arguments =
        (Self.isRoot ? [] : ["--map-root-user"]) + ["--net", "--mount", "/bin/sh", "-c", script]
      process.standardInput = input
      process.standardOutput = output
      process.standardError = output
      try process.run()
      let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      let words = said.split(whereSeparator: \.isWhitespace)
      guard words.first == "ready", let number = words.last.flatMap({ Int($0) }) else {
        throw NoNetwork(output: said)
      }
      (holder, leash) = (number, input)
    }

    deinit { try? leash.fileHandleForWriting.close() }

    // MARK: Programs

    /// Returns the words before a program that is to run on a machine.
    package func prefix(_ machine: Machine) -> [String] {
      // The files as the holder sees them, which has a `/run` of its own (proc_pid_root(5)).
      enter("/proc/\(holder)/root/run/netns/\(machine)")
    }

    private func enter(_ network: String) -> [String] {
      ["/usr/bin/nsenter"]
        + (Self.isRoot ? [] : ["--target", "\(holder)", "--user", "--preserve-credentials"])
        + ["--net=\(network)", "--"]
    }

    /// The words before PostgreSQL, which refuses to run as root, on the machine of the server.
    package var serverPrefix: [String] {
      prefix(.server)
        + (Self.isRoot
          ? ["runuser", "-u", "postgres", "--"] : ["unshare", "--map-user=1000", "--"])
    }

    // MARK: Packets

    /// Loses all packets from a machine and to it from now on.
    package func cut(_ machine: Machine) throws {
      try route(
        "echo 0 >/proc/sys/net/ipv4/conf/\(machine)/forwarding && "
          + "ip route add blackhole \(machine.address)/32"
      )
    }

    /// Forwards its packets again.
    package func mend(_ machine: Machine) throws {
      try route(
        "ip route del blackhole \(machine.address)/32 && "
          + "echo 1 >/proc/sys/net/ipv4/conf/\(machine)/forwarding"
      )
    }

    /// Runs a command of the shell on the router.
    private func route(_ command: String) throws {
      let router = try Spawning(
        enter("/proc/\(holder)/ns/net") + ["/bin/sh", "-c", command],
        environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
        streams: [.file("/dev/null"), .file("/dev/null"), .file("/dev/null")]
      )
      .start()
      var status: Int32 = 0
      while waitpid(router, &status, 0) < 0, errno == EINTR {}
      guard status == 0 else { throw NoNetwork(output: command) }
    }
  }
#endif
