//! Device domains: what is known of where values lie, and which values lie together.
//!
//! A domain is a device of which parts may be unknown, or a function of domains. Making two domains one makes one of what is
//! known of both (union-find). Each part of a device has the cause that it is known by.

use relay_dialects::{
    ir::{Loc, Type},
    relay::VirtualDevice,
};

/// A domain, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain(usize);

/// Why a device is known.
#[derive(Clone, Debug)]
pub struct Cause {
    /// The place that says so.
    pub loc: Loc,
    /// What is said there: `this relay.on_device constrains its operand`.
    pub text: String,
}

/// Two devices for the same values, and why each of them.
#[derive(Debug)]
pub struct Conflict {
    /// The devices.
    pub devices: [VirtualDevice; 2],
    /// Their causes.
    pub causes: [Cause; 2],
}

/// What a domain is.
#[derive(Clone, Debug)]
enum Node {
    /// The same as another.
    Same(Domain),
    /// A device, and the causes of its kind, its number and its memory.
    Device(VirtualDevice, [usize; 3]),
    /// A function of the domains of its parameters and its result.
    Function(Vec<Domain>, Domain),
}

/// All domains.
pub struct Domains {
    nodes: Vec<Node>,
    /// The first one stands for what is not known.
    causes: Vec<Cause>,
    /// What nodes were before they changed, while it may have to be undone.
    trail: Option<Vec<(usize, Node)>>,
}

impl Domains {
    /// Those of a module that is here.
    pub fn new(loc: Loc) -> Self {
        let text = "nothing says anything else".into();
        Self {
            nodes: Vec::new(),
            causes: vec![Cause { loc, text }],
            trail: None,
        }
    }

    fn add(&mut self, node: Node) -> Domain {
        self.nodes.push(node);
        Domain(self.nodes.len() - 1)
    }

    /// A domain of which nothing is known.
    pub fn open(&mut self) -> Domain {
        self.add(Node::Device(VirtualDevice::default(), [0; 3]))
    }

    /// A device that is known.
    pub fn device(&mut self, device: &VirtualDevice, cause: Cause) -> Domain {
        self.causes.push(cause);
        let cause = self.causes.len() - 1;
        let known = [
            device.kind.is_some(),
            device.number.is_some(),
            device.scope.is_some(),
        ];
        let causes = known.map(|known| if known { cause } else { 0 });
        self.add(Node::Device(device.clone(), causes))
    }

    /// A function of domains.
    pub fn function(&mut self, params: Vec<Domain>, result: Domain) -> Domain {
        self.add(Node::Function(params, result))
    }

    /// A domain for values of a type, of which nothing is known.
    pub fn of_type(&mut self, ty: Type) -> Domain {
        match ty.as_function() {
            Some((params, result)) => {
                let params = params.into_iter().map(|ty| self.of_type(ty)).collect();
                let result = self.of_type(result);
                self.function(params, result)
            }
            None => self.open(),
        }
    }

    /// The parameters and the result of a function.
    pub fn parts(&self, domain: Domain) -> Option<(Vec<Domain>, Domain)> {
        match &self.nodes[self.root(domain).0] {
            Node::Function(params, result) => Some((params.clone(), *result)),
            Node::Device(..) | Node::Same(_) => None,
        }
    }

    /// The device of values; of functions, that of their results.
    pub fn device_of(&self, domain: Domain) -> &VirtualDevice {
        let mut domain = self.root(domain);
        loop {
            match &self.nodes[domain.0] {
                Node::Device(device, _) => return device,
                Node::Function(_, inner) | Node::Same(inner) => domain = self.root(*inner),
            }
        }
    }

    fn root(&self, mut domain: Domain) -> Domain {
        while let Node::Same(other) = self.nodes[domain.0] {
            domain = other;
        }
        domain
    }

    /// Finds the root of a domain, and makes the way there shorter.
    fn find(&mut self, domain: Domain) -> Domain {
        let root = self.root(domain);
        let mut next = domain;
        while let Node::Same(other) = self.nodes[next.0] {
            if other != root {
                self.set(next, Node::Same(root));
            }
            next = other;
        }
        root
    }

    fn set(&mut self, domain: Domain, node: Node) {
        let before = std::mem::replace(&mut self.nodes[domain.0], node);
        if let Some(trail) = &mut self.trail {
            trail.push((domain.0, before));
        }
    }

    /// Makes two domains one. A function and a device become one by all of the function's parts becoming that device.
    ///
    /// # Errors
    /// Two devices that contradict each other.
    pub fn unify(&mut self, one: Domain, other: Domain) -> Result<(), Box<Conflict>> {
        let mut open = vec![(one, other)];
        while let Some((one, other)) = open.pop() {
            let (one, other) = (self.find(one), self.find(other));
            if one == other {
                continue;
            }
            match (self.nodes[one.0].clone(), self.nodes[other.0].clone()) {
                (Node::Device(first, causes), Node::Device(second, others)) => {
                    let joined = self.join((&first, causes), (&second, others))?;
                    self.set(one, joined);
                    self.set(other, Node::Same(one));
                }
                (Node::Function(params, result), Node::Function(others, given))
                    if params.len() == others.len() =>
                {
                    self.set(other, Node::Same(one));
                    open.extend(params.into_iter().zip(others));
                    open.push((result, given));
                }
                (Node::Function(params, result), _) => {
                    let parts = params.into_iter().chain([result]);
                    open.extend(parts.map(|part| (part, other)));
                }
                (_, Node::Function(params, result)) => {
                    let parts = params.into_iter().chain([result]);
                    open.extend(parts.map(|part| (part, one)));
                }
                // Roots are not the same as others.
                (Node::Same(_), _) | (_, Node::Same(_)) => {}
            }
        }
        Ok(())
    }

    /// Makes two domains one if they do not contradict each other; else leaves all as it was.
    pub fn unify_if_possible(&mut self, one: Domain, other: Domain) {
        self.trail = Some(Vec::new());
        let result = self.unify(one, other);
        let trail = self.trail.take().unwrap_or_default();
        if result.is_err() {
            for (index, before) in trail.into_iter().rev() {
                self.nodes[index] = before;
            }
        }
    }

    /// What is known of one device and of another.
    fn join(
        &self,
        (one, causes): (&VirtualDevice, [usize; 3]),
        (other, others): (&VirtualDevice, [usize; 3]),
    ) -> Result<Node, Box<Conflict>> {
        if let Some(joined) = one.join(other) {
            let mut all = causes;
            for (cause, other) in all.iter_mut().zip(others) {
                if *cause == 0 {
                    *cause = other;
                }
            }
            return Ok(Node::Device(joined, all));
        }
        let differ = [
            one.kind.is_some() && other.kind.is_some() && one.kind != other.kind,
            one.number.is_some() && other.number.is_some() && one.number != other.number,
            true,
        ];
        let part = differ.iter().position(|differs| *differs).unwrap_or(2);
        Err(Box::new(Conflict {
            devices: [one.clone(), other.clone()],
            causes: [causes, others].map(|causes| self.causes[causes[part]].clone()),
        }))
    }

    /// Gives values a device as far as nothing is known of them, and all parts of functions.
    pub fn default(&mut self, domain: Domain, default: &VirtualDevice, cause: &Cause) {
        let root = self.find(domain);
        match self.nodes[root.0].clone() {
            Node::Device(device, causes) => {
                let complete = device.or(default);
                if complete != device {
                    self.causes.push(cause.clone());
                    let last = self.causes.len() - 1;
                    let causes = causes.map(|known| if known == 0 { last } else { known });
                    self.set(root, Node::Device(complete, causes));
                }
            }
            Node::Function(params, result) => {
                self.default(result, default, cause);
                for param in params {
                    self.default(param, default, cause);
                }
            }
            Node::Same(_) => {}
        }
    }

    /// Gives the result of a function a device, and its parameters that of the result, as far as nothing is known of them.
    pub fn default_function(
        &mut self,
        params: &[Domain],
        result: Domain,
        default: &VirtualDevice,
        cause: &Cause,
    ) {
        self.default(result, default, cause);
        let device = self.device_of(result).clone();
        for param in params {
            self.default(*param, &device, cause);
        }
    }
}
